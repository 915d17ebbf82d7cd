"""E042x: what a variant changes does not fit its base, or two variants do not fit each other."""

from __future__ import annotations

from collections.abc import Iterable

from cambist.dsl.diagnostics import Diagnostic, Edit, Label
from cambist.dsl.messages.registry import code, listed, nearest
from cambist.dsl.source import Span

MOST_SHOWN = 4


@code("E0420")
def part_changed(span: Span, part: str, base: str, now: Span, mark: str, file: str) -> Diagnostic:
    """A part of the base is not what a variant's change was written for.

    `against mdkt` at the end of a change is a fingerprint of the part as it was when the change was written. Layout,
    comments and citations do not matter to it. When the part has another one now, somebody should read both: if the
    change still fits, `cambist accept` writes the new mark. A change without a mark is not watched.

    Wrong:
        variant quick of market "A quick market day"
        set rounds to 2                                             against bbbb
    Right:
        variant quick of market "A quick market day"
        set rounds to 2                                             against hjph
    """
    return Diagnostic(
        "E0420",
        f"{part} of `{base}` has changed since this was written",
        Label(span, "written for another one"),
        (Label(now, f"it is this now ({mark})"),),
        help=f"read both; if the change still fits, `cambist accept {file}` marks it anew",
    )


@code("E0421")
def both_change(span: Span, part: str, first: str, second: str, other: Span) -> Diagnostic:
    """Two stacked variants change the same part, and nothing says which of them comes later.

    `variant both of market with quick, rich after quick "Both"` makes the changes of `rich` last.
    """
    return Diagnostic(
        "E0421",
        f"`{first}` and `{second}` both change {part}",
        Label(span, f"`{second}` does it here"),
        (Label(other, f"`{first}` here"),),
        help=f"say which comes later, as in `with {first}, {second} after {first}`",
    )


@code("E0422")
def cannot_be_stacked(span: Span, name: str, why: str, remedy: str) -> Diagnostic:
    """Variants that are stacked with `with` are plain variants of one and the same base, each named once.

    `after` names one that stands before it.

    Wrong:
        variant quick of market with market "A quick market day"
    Right:
        variant quick of market "A quick market day"
    """
    return Diagnostic("E0422", f"`{name}` cannot be stacked here: {why}", Label(span, "named here"), help=remedy)


@code("E0423")
def no_such_line(span: Span, name: str, rule: str, place: Span, hint: str, known: Iterable[str]) -> Diagnostic:
    """A variant changes a line of a rule that is not there (any more).

    A line is named by the rule it calls, by what it makes (`let x = …`, `p chooses x in …`), by its `mark` or `limit`,
    a branch of a choice by its label. `insert at start of RULE` and `insert at end of RULE` need no name.

    Wrong:
        variant quick of market "A quick market day"
        remove tale in turn
    Right:
        variant quick of market "A quick market day"
        remove take in turn
    """
    names = sorted(set(known))
    meant = nearest(name, names)
    can = f"it has {listed(names)}" if names else "nothing in it has a name; `insert at end of` needs none"
    return Diagnostic(
        "E0423",
        f"`{rule}` has no line called `{name}`",
        Label(span, "to be changed here"),
        (Label(place, "the base has this"),),
        help=hint or can,
        fix=Edit(span, meant) if meant else None,
    )


@code("E0424")
def which_line(span: Span, name: str, places: list[Span]) -> Diagnostic:
    """Several lines of a rule have the name by which a variant speaks of one.

    Wrong:
        variant quick of market "A quick market day"
        insert before tidy in day
          open
    Right:
        variant quick of market "A quick market day"
        insert before last tidy in day
          open
    """
    return Diagnostic(
        "E0424",
        f"{len(places)} lines are called `{name}`",
        Label(span, "which of them?"),
        tuple(Label(place, "this one?") for place in places[:MOST_SHOWN]),
        help=f"write `first {name}`, `last {name}`, or `each {name}` for all of them",
    )


@code("E0425")
def wrong_lines(span: Span, why: str, place: Span | None = None) -> Diagnostic:
    """A branch can stand only beside branches, a statement only beside statements, and a choice keeps a branch.

    Wrong:
        variant quick of market "A quick market day"
        insert after leave_it in turn
          nothing
    Right:
        variant quick of market "A quick market day"
        insert after leave_it in turn
          wait: nothing
    """
    return Diagnostic(
        "E0425",
        f"these lines cannot stand there: {why}",
        Label(span, "changed here"),
        () if place is None else (Label(place, "this is meant"),),
        help="a branch is `label:` with its lines below, any other line a statement",
    )


@code("E0427")
def mark_of_nothing(span: Span) -> Diagnostic:
    """`against mdkt` says for what a change was written, and stands once, with a change of a part of the base.

    Wrong:
        define double(n) = n * 2                                    against mdkt
    Right:
        define double(n) = n * 2
    """
    return Diagnostic(
        "E0427",
        "nothing of a base is changed here",
        Label(span, "the mark of what?"),
        help="take it out; `cambist accept` writes the marks that are needed",
        fix=Edit(span, ""),
    )


@code("E0428")
def changed_twice(span: Span, name: str, first: Span) -> Diagnostic:
    """A variant gives one part two values, or replaces it twice: one of them would be lost.

    Wrong:
        variant quick of market "A quick market day"
        set rounds to 2
        set rounds to 3
    Right:
        variant quick of market "A quick market day"
        set rounds to 3
    """
    return Diagnostic(
        "E0428",
        f"`{name}` is changed twice",
        Label(span, "again here"),
        (Label(first, "first here"),),
        help="keep the one that is meant",
    )


@code("E0426")
def too_few_cards(span: Span, count: int, what: str, deck: str, has: int) -> Diagnostic:
    """A variant takes more cards out of a deck than are in it.

    Wrong:
        variant quick of market "A quick market day"
        remove 90 chip red from box
    Right:
        variant quick of market "A quick market day"
        remove 1 chip red from box
    """
    return Diagnostic(
        "E0426",
        f"`{deck}` has only {has} `{what}`" if has else f"`{deck}` has no `{what}`",
        Label(span, f"{count} cannot be taken out"),
        help="take out fewer" if has else "say what is on the card as the rows of the deck do",
    )
