"""E04xx: citations and assumptions."""

from __future__ import annotations

from cambist.dsl.diagnostics import Diagnostic, Label
from cambist.dsl.messages.registry import code
from cambist.dsl.source import Span


@code("E0401")
def no_citation(span: Span, what: str) -> Diagnostic:
    """A rule or a number has neither a citation nor an assumption (checked with `--strict`).

    Wrong:
        variable rounds: number = 5
    Right:
        variable rounds: number = 5                                 cites R"End"
    """
    return Diagnostic(
        "E0401",
        f"{what} is neither cited nor assumed",
        Label(span, "says who?"),
        help='add `cites R"Heading"` or `assumed because "…"`',
    )


@code("E0402")
def which_value(span: Span, numbers: list[Span]) -> Diagnostic:
    """An assumption offers other values (`or 2, 5`), and its line has not exactly one number to replace.

    Wrong:
        define fee(n) = 3 * n + 4                                   assumed because "a guess" or 2, 5
    Right:
        define fee(n) = 3 * n                                       assumed because "a guess" or 2, 5
    """
    return Diagnostic(
        "E0402",
        "it is not clear which value the alternatives replace",
        Label(span, f"{len(numbers) or 'no'} numbers on this line"),
        tuple(Label(number, "this one?") for number in numbers),
        help="give the number a line of its own",
    )


@code("E0403")
def no_such_section(span: Span, section: int, first: int, last: int, declared: Span) -> Diagnostic:
    """A citation names a section that the source does not have.

    Wrong:
        game small "Small"
          players 2..4
          source Q "rules.txt" language en sections 1..9
        variable rounds: number = 5                                 cites Q§12
        play                                                        cites Q§1
          nothing
        score p = 0
        winner most score, ties shared
    Right:
        variable rounds: number = 5                                 cites R"End"
    """
    return Diagnostic(
        "E0403",
        f"there is no section {section}",
        Label(span, "cited here"),
        (Label(declared, f"has the sections {first} to {last}"),),
        help=f"the sections are {first} to {last}",
    )
