"""E0118, E0119, W0502 and the words for settings that do not go together, wherever they are told."""

from __future__ import annotations

from collections.abc import Iterable

from cambist.dsl.diagnostics import Diagnostic, Label
from cambist.dsl.messages.registry import code
from cambist.dsl.source import Span


@code("E0118")
def not_about_options(span: Span, what: str, options: Iterable[str]) -> Diagnostic:
    """A condition of an option speaks of something else than options.

    Conditions are asked before a game begins: they compare options with their values and with each other. How many
    play is not an option; say in `players` how many may.

    Wrong:
        option open_hands: flag = no                                cites R"Hands"
          requires size of box > 3
    Right:
        option rounds: 1..9 = 5                                     cites R"End"
        option open_hands: flag = no                                cites R"Hands"
          requires rounds > 3
    """
    known = ", ".join(f"`{name}`" for name in options)
    return Diagnostic(
        "E0118",
        f"{what} is not known before the game begins",
        Label(span, "not an option"),
        help=f"compare options, their values and numbers; the options are {known}",
    )


@code("E0119")
def settings_clash(span: Span, what: str, here: str, condition: Span, remedy: str) -> Diagnostic:
    """Options are set to what does not go together: as a game begins if nobody sets anything, or in an example.

    Wrong:
        option rounds: 1..9 = 2                                     cites R"End"
        option open_hands: flag = yes                               cites R"Hands"
          requires rounds > 3
    Right:
        option rounds: 1..9 = 5                                     cites R"End"
        option open_hands: flag = yes                               cites R"Hands"
          requires rounds > 3
    """
    return Diagnostic("E0119", what, Label(span, here), (Label(condition, "the condition"),), help=remedy)


def clash(name: str, when: str, requires: bool, test: str, facts: Iterable[tuple[str, str, bool]]) -> str:
    """`open_hands` requires `rounds > 3`, but `rounds` is 2 unless it is set. A fact: an option, its value,
    whether somebody has set it."""
    told = " and ".join(
        f"`{other}` is {value}{'' if was_set else ' unless it is set'}" for other, value, was_set in facts
    )
    word, but = ("requires", "but") if requires else ("excludes", "and")
    return f"`{name}`{f' = {when}' if when else ''} {word} `{test}`, {but} {told}"


def clash_remedy(name: str, others: Iterable[str]) -> str:
    shown = " or ".join(f"`{other}`" for other in others if other != name)
    return f"set {shown} otherwise, or `{name}`" if shown else f"set `{name}` otherwise"


def would_do(settings: Iterable[tuple[str, str]]) -> str:
    return f"{' and '.join(f'`{name}` = {value}' for name, value in settings)} would do"


@code("W0502")
def never_allowed(span: Span, name: str, values: Iterable[str], all_of_them: bool) -> Diagnostic:
    """The conditions of the options leave no way to choose a value: whatever the others are set to, one is broken.

    Wrong:
        option rounds: 1..9 = 3                                     cites R"End"
        option open_hands: flag = no                                cites R"Hands"
          requires rounds > 5
          excludes rounds > 4
        define shown = rounds if open_hands else 0
        invariant sane: shown >= 0                                  cites R"Hands"
    Right:
        option rounds: 1..9 = 3                                     cites R"End"
        option open_hands: flag = no                                cites R"Hands"
          requires rounds > 5
        define shown = rounds if open_hands else 0
        invariant sane: shown >= 0                                  cites R"Hands"
    """
    shown = list(values)
    told = ", ".join(shown[:4]) + (f" and {len(shown) - 4} more" if len(shown) > 4 else "")
    return Diagnostic(
        "W0502",
        f"nobody can set the options at all: `{name}` has no value left"
        if all_of_them
        else f"nobody can set `{name}` to {told}",
        Label(span, "some condition is always broken"),
        help="take a condition out, or the value",
        severity="warning",
        about=name,
    )
