"""E04xx: citations, assumptions, sections of rulebooks, variants."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher

from cambist.dsl.diagnostics import Diagnostic, Edit, Label
from cambist.dsl.messages.registry import code, did_you_mean, listed, nearest
from cambist.dsl.source import Span

NO_SOURCE = 'add `assumed because "…"`; to cite a rulebook, declare it first: `source R "rulebook.txt" language en`'


@code("E0401")
def no_citation(span: Span, what: str, source: str = "") -> Diagnostic:
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
        help=f'add `cites {source}"Heading"` or `assumed because "…"`' if source else NO_SOURCE,
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
        Label(span, f"{len(numbers)} numbers on this line" if numbers else "no number in what it belongs to"),
        tuple(Label(number, "this one?") for number in numbers),
        help="give the number a line of its own" + ("" if numbers else ", with the note at its end"),
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


@code("E0404")
def no_such_heading(span: Span, place: str, source: str, known: Iterable[str]) -> Diagnostic:
    """A citation names a heading that is not among the sections listed below its source.

    Wrong:
        game small "Small"
          players 2..4
          source Q "rules.txt" language en
            section "The end"
        play                                                        cites Q"The ende"
          nothing
        score p = 0                                                 cites Q"The end"
        winner most score, ties shared
    Right:
        game small "Small"
          players 2..4
          source Q "rules.txt" language en
            section "The end"
        play                                                        cites Q"The end"
          nothing
        score p = 0                                                 cites Q"The end"
        winner most score, ties shared
    """
    titles = tuple(known)
    meant = nearest(place, titles)
    hint = f"did you mean `{meant}`?" if meant else did_you_mean(place, titles)
    inside = span.text.rfind(place)
    fix = Edit(Span(span.file, span.start + inside, span.start + inside + len(place)), meant) if meant else None
    return Diagnostic(
        "E0404",
        f"`{source}` has no section `{place}`",
        Label(span, "cited here"),
        help=hint
        or (
            f"its sections are {listed(titles)}"
            if place.startswith("§")
            else f'add `section "{place}"` below the source'
        ),
        fix=fix,
    )


@code("E0405")
def section_uncited(span: Span, title: str) -> Diagnostic:
    """A section of the rulebook is cited by no rule (checked with `--strict`).

    Either a rule is missing, or a citation; or the section has no rule in it, which is said with a reason.

    Wrong:
        game small "Small"
          players 2..4
          source Q "rules.txt" language en
            section "The end"
            section "Thanks"
        play                                                        cites Q"The end"
          nothing
        score p = 0                                                 cites Q"The end"
        winner most score, ties shared                              cites Q"The end"
    Right:
        game small "Small"
          players 2..4
          source Q "rules.txt" language en
            section "The end"
            section "Thanks"                                        no rule because "names of the makers"
        play                                                        cites Q"The end"
          nothing
        score p = 0                                                 cites Q"The end"
        winner most score, ties shared                              cites Q"The end"
    """
    return Diagnostic(
        "E0405",
        f"no rule cites the section `{title}`",
        Label(span, "declared here"),
        help='cite it where its rule stands, or add `no rule because "…"`',
    )


@code("E0406")
def section_has_rule(span: Span, title: str, reason: Span) -> Diagnostic:
    """A section said to have no rule is cited by one.

    Wrong:
        game small "Small"
          players 2..4
          source Q "rules.txt" language en
            section "The end"                                       no rule because "it is obvious"
        play                                                        cites Q"The end"
          nothing
        score p = 0
        winner most score, ties shared
    Right:
        game small "Small"
          players 2..4
          source Q "rules.txt" language en
            section "The end"
        play                                                        cites Q"The end"
          nothing
        score p = 0
        winner most score, ties shared
    """
    return Diagnostic(
        "E0406",
        f"the section `{title}` is said to have no rule",
        Label(span, "but is cited here"),
        (Label(reason, "said here"),),
        help="take out `no rule because`, or the citation",
    )


@code("E0407")
def patch_outside(span: Span, word: str) -> Diagnostic:
    """Only a variant changes the parts of another game.

    Wrong:
        replace define double(n) = n * 2
    Right:
        define double(n) = n * 2
    """
    return Diagnostic(
        "E0407",
        f"only a variant can `{word}` something",
        Label(span, "there is nothing to change here"),
        help='begin the file with `variant NAME of GAME "Title"`, or write the rule itself',
    )


@code("E0408")
def no_such_part(span: Span, what: str, base: str, help: str, near: tuple[Label, ...] = ()) -> Diagnostic:
    """A variant changes a part that its base does not have (any more).

    A part is what has a label: a declaration by its name, an example by its title, `setup`, `play`, `score`, `winner`.

    Wrong:
        variant quick of market "A quick market day"
        set round to 2
    Right:
        variant quick of market "A quick market day"
        set rounds to 2
    """
    meant = nearest(span.text, [help.split("`")[1]]) if help.startswith("did you mean") else ""
    return Diagnostic(
        "E0408",
        f"`{base}` has no {what}",
        Label(span, "to be changed here"),
        near,
        help=help or f"`cambist games {base}` tells where its rules are",
        fix=Edit(span, meant) if meant else None,
    )


MOST_TITLES = 3


def nearest_titles(title: str, titles: Iterable[str]) -> str:
    """Titles are sentences: which is meant is told by the words they share, and else all are shown that may be."""
    words = set(title.lower().split())
    likely = sorted(
        titles, key=lambda t: (-len(words & set(t.lower().split())), -SequenceMatcher(None, title, t).ratio())
    )
    shown = " or ".join(f'"{t}"' for t in likely[:MOST_TITLES])
    return f"write the whole title, for example {shown}" if shown else ""


@code("E0409")
def part_exists(span: Span, label: str, base: str, first: Span) -> Diagnostic:
    """A variant adds something under a name that its base has already.

    Wrong:
        variant quick of market "A quick market day"
        define worth(c) = 1
    Right:
        variant quick of market "A quick market day"
        replace define worth(c) = 1
    """
    return Diagnostic(
        "E0409",
        f"`{label}` is a part of `{base}` already",
        Label(span, "added here"),
        (Label(first, "it stands here"),),
        help="write `replace` before it, or choose another name",
    )


@code("E0410")
def name_taken(span: Span, name: str, base: str) -> Diagnostic:
    """A variant renames something to a word that its base uses for something else.

    Wrong:
        variant dark of market "A dark market day"
          rename blue to red
    Right:
        variant dark of market "A dark market day"
          rename blue to black
    """
    return Diagnostic(
        "E0410",
        f"`{name}` means something else in `{base}` already",
        Label(span, "the new name"),
        help="choose a name that the base does not use",
    )


@code("E0411")
def no_such_base(span: Span, name: str, candidates: Iterable[str]) -> Diagnostic:
    """A variant is of a game that stands neither beside it nor among the shipped ones.

    Wrong:
        variant quick of markets "A quick market day"
    Right:
        variant quick of market "A quick market day"
    """
    known = tuple(candidates)
    return Diagnostic(
        "E0411",
        f"there is no game `{name}` to be a variant of",
        Label(span, "not found"),
        help=did_you_mean(name, known) or f"shipped games: {', '.join(known)}; or put `{name}.rules` beside this file",
        fix=Edit(span, meant) if (meant := nearest(name, known)) and span.text == name else None,
    )


@code("E0412")
def cannot_be_set(span: Span, name: str, why: str, remedy: str) -> Diagnostic:
    """`set` in a variant gives a new value to what has one: a table, an option, a variable, a definition, a deck.

    Wrong:
        variant quick of market "A quick market day"
        set rounds to 2, 3
    Right:
        variant quick of market "A quick market day"
        set rounds to 2
    """
    return Diagnostic("E0412", f"`{name}` cannot be set so: {why}", Label(span, "set here"), help=remedy)


@code("E0413")
def section_unmapped(span: Span, place: str, source: str, rule: Span) -> Diagnostic:
    """A variant with its own rulebook does not say where an inherited rule stands in it (checked with `--strict`).

    Below its source, `section "Its heading" for B"The base's heading"` says so; several headings may stand for one.
    """
    return Diagnostic(
        "E0413",
        f'an inherited rule cites {source}"{place}", and no section of the own rulebook stands for it',
        Label(span, "of this source"),
        (Label(rule, "the rule"),),
        help=f'add `for {source}"{place}"` to the section that has this rule',
    )
