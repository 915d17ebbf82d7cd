"""E02xx: kinds and units."""

from __future__ import annotations

import re
from collections.abc import Iterable

from cambist.dsl.diagnostics import Diagnostic, Edit, Label
from cambist.dsl.messages.registry import code, nearest
from cambist.dsl.source import Span

REMEDIES = {
    ("a number", "a zone"): "`size of {text}` is how many lie in it",
    (
        "a number",
        "several",
    ): "`size of {text}` is how many there are, `sum of x for x in {text}` what they add up to",
    ("a number", "a player"): "reach something that the player has, for example `{text}.cash`",
    ("a number", "a card"): "reach a field of the card, for example `{text}.value`",
    ("a number", "a yes or no"): "write `1 if {text} else 0`",
    ("cards", "a number"): "say from where: `move {text} from … to …`",
    ("cards", "an account"): "money is moved by `transfer … from … to …`",
    ("cards", "an amount"): "money is moved by `transfer … from … to …`",
    (
        "a player",
        "several players",
    ): "name one of them, for example the `p` of `each p` or of `the p in players with …`",
    ("a player", "a zone"): "name whose it is, not the zone",
}


@code("E0201")
def wrong_kind(span: Span, expected: str, found: str, why: str = "", help: str = "") -> Diagnostic:
    """A value is of another kind than its place asks for: a player where a number should be, a zone for a card.

    Wrong:
        define odd(p) = p.cash + red
    Right:
        define odd(p) = p.cash + 1
    """
    for (wanted, given), remedy in REMEDIES.items():
        if not help and expected == wanted and found.startswith(given):
            text = span.text if len(span.text) < 40 and "\n" not in span.text else "…"
            help = remedy.format(text=f"({text})" if " " in text else text)
    return Diagnostic(
        "E0201",
        f"this is {found}, not {expected}",
        Label(span, why or f"expected {expected}"),
        help=help or f"put {expected} here",
    )


@code("E0202")
def wrong_unit(span: Span, found: str, expected: str, other: Span | None) -> Diagnostic:
    """Amounts of different units meet.

    A unit is never turned into another without a rule that says at what rate.

    Wrong:
        unit gold
        account vault in gold, unlimited
        define sum_of_both(p) = p.cash + vault
    Right:
        account safe in coin, unlimited
        define sum_of_both(p) = p.cash + safe
    """
    others = (Label(other, f"in `{expected}`"),) if other else ()
    return Diagnostic(
        "E0202",
        f"`{found}` and `{expected}` are different units",
        Label(span, f"in `{found}`"),
        others,
        help="bring both into one unit first",
    )


@code("E0203")
def not_a_place(span: Span, found: str) -> Diagnostic:
    """Components are moved to and from zones only.

    Wrong:
        procedure tidy                                              cites R"Tidy"
          move box to leader
    Right:
        procedure tidy                                              cites R"Tidy"
          move box to stock
    """
    return Diagnostic(
        "E0203",
        f"this is {found}, not a zone",
        Label(span, "components lie in zones"),
        help="name a `zone` or a `deck`",
    )


@code("E0204")
def not_an_account(span: Span, found: str, example: str, sure: bool = False) -> Diagnostic:
    """Money is transferred between accounts only.

    Wrong:
        procedure pay(p)                                            cites R"Pay"
          transfer 1 from bank to p
    Right:
        procedure pay(p)                                            cites R"Pay"
          transfer 1 from bank to p.cash
    """
    return Diagnostic(
        "E0204",
        f"this is {found}, not an account",
        Label(span, "money lies in accounts"),
        help=f"name an `account`, for example `{example}`",
        fix=Edit(span, example) if sure else None,
    )


def components_transferred(span: Span, to: Span) -> Diagnostic:
    """E0204 where both ends are zones: it is the verb that is wrong."""
    what = re.fullmatch(r"transfer\s+(.+?)\s+from\s+.+", span.text, re.DOTALL)
    told = f"move {what.group(1)} to {to.text}" if what and not what.group(1).isdecimal() else "move … from … to …"
    return Diagnostic(
        "E0204",
        "components are moved, not transferred",
        Label(span, "both ends are zones"),
        help=f"write `{told}`; `transfer` is for money",
    )


def money_moved(span: Span) -> Diagnostic:
    """E0203 where both ends are accounts: it is the verb that is wrong."""
    verb = Span(span.file, span.start, span.start + len("move"))
    return Diagnostic(
        "E0203",
        "money is transferred, not moved",
        Label(span, "both ends are accounts"),
        help="write `transfer` instead of `move`",
        fix=Edit(verb, "transfer") if verb.text == "move" else None,
    )


@code("E0205")
def cannot_set(span: Span, found: str, instead: str) -> Diagnostic:
    """Only variables and tracks are set.

    Money is transferred and components are moved, so that nothing is lost or made.

    Wrong:
        procedure cheat(p)                                          cites R"Pay"
          add 5 to p.cash
    Right:
        procedure pay(p)                                            cites R"Pay"
          transfer 5 from bank to p.cash
    """
    return Diagnostic("E0205", f"{found} cannot be set", Label(span, "not a variable"), help=instead)


@code("E0206")
def not_a_condition(span: Span, found: str) -> Diagnostic:
    """A condition is needed: something that is true or not.

    Wrong:
        procedure maybe(p)                                          cites R"Maybe"
          if p.cash: shuffle box
    Right:
        procedure maybe(p)                                          cites R"Maybe"
          if p.cash > 0: shuffle box
    """
    text = span.text if len(span.text) < 40 and "\n" not in span.text else "…"
    if found.startswith(("a number", "an amount", "an account")):
        help = f"compare it with something, for example `{text} > 0`"
    elif found.startswith(("a zone", "several")):
        help = f"ask something of it, for example `{text} is not empty`"
    else:
        help = f"compare it with something, for example `{text} is …`"
    return Diagnostic("E0206", f"this is {found}, not a condition", Label(span, "neither true nor false"), help=help)


@code("E0207")
def bad_row(span: Span, why: str, help: str = "", members: Iterable[str] = ()) -> Diagnostic:
    """A row of a deck does not fit the fields of its card.

    The row has the number, the card's name and one value for each field in the order of the declaration;
    fields with a default may be left out at the end; `each` stands for every member of an enum.

    Wrong:
        deck extra of chip
          2 chip 5 red
    Right:
        deck extra of chip
          2 chip red 5
    """
    meant = nearest(span.text, members)
    return Diagnostic(
        "E0207",
        f"this row does not fit: {why}",
        Label(span, "does not fit"),
        help=f"did you mean `{meant}`?" if meant else help,
        fix=Edit(span, meant) if meant else None,
    )


@code("E0208")
def not_a_list(span: Span, found: str) -> Diagnostic:
    """Several things are needed: a zone, an enum, a list, the players or a range.

    Wrong:
        define odd = count of x in 5
    Right:
        define odd = count of x in 1..5
    """
    return Diagnostic(
        "E0208",
        f"this is {found}, not several things",
        Label(span, "cannot be gone through"),
        help="for example a zone, an enum or `1..5`",
    )


def only_one_of_the_tied(span: Span, found: str) -> Diagnostic:
    """E0208 where the best is looked for and nothing is said of ties."""
    return Diagnostic(
        "E0208",
        f"this is {found}, not several things",
        Label(span, "one of them only"),
        help="add `, all tied`: it is all of those then",
    )


def reaches_too_far(span: Span, sign: str, source: Span) -> Diagnostic:
    """E0208 where the author meant to calculate with a sum, and wrote on behind what it goes through."""
    return Diagnostic(
        "E0208",
        f"`{source.text} {sign} …` is not several things",
        Label(span, "taken as a part of what is gone through"),
        help="put all from `sum of`, `count of`, `most of` … up to the sign into parentheses",
    )


@code("E0209")
def not_a_player(span: Span, found: str) -> Diagnostic:
    """Only players choose.

    Wrong:
        procedure ask                                               cites R"Ask"
          stock chooses n in 1..3
    Right:
        procedure ask(p)                                            cites R"Ask"
          p chooses n in 1..3
    """
    return Diagnostic(
        "E0209",
        f"this is {found}, not a player",
        Label(span, "only players choose"),
        help="put it below `each p`, for example, and write `p chooses …`",
    )


@code("E0210")
def not_on_the_track(span: Span, value: str, track: str) -> Diagnostic:
    """A track holds only the values it was declared with.

    Wrong:
        track price of each color: 1, 2, 3, start 5                 cites R"Board"
    Right:
        track price of each color: 1, 2, 3, start 2                 cites R"Board"
    """
    return Diagnostic(
        "E0210",
        f"`{track}` has no space {value}",
        Label(span, "not on the track"),
        help="use one of its values",
    )


@code("E0211")
def cannot_compare(span: Span, left: str, right: str) -> Diagnostic:
    """Two values of different kinds are compared: they could never be equal.

    Wrong:
        define odd = leader = red
    Right:
        define leading(p) = p = leader
    """
    help = "compare two of one kind; a field is reached by a dot, for example `c.value`"
    if {left, right} == {"a zone", "a number"}:
        help = "`size of` a zone is how many lie in it; in an example `p.hand holds 2 chip` says which"
    return Diagnostic(
        "E0211",
        f"{left} {'are' if left.startswith('several') else 'is'} never {right}",
        Label(span, "different kinds"),
        help=help,
    )


@code("E0212")
def does_not_fit_step(span: Span, value: str, unit: str, fits: str = "") -> Diagnostic:
    """An amount is not a whole number of its unit's smallest step, or a number is not a whole number.

    Wrong:
        procedure pay(p)                                            cites R"Pay"
          transfer 1.5 from bank to p.cash
    Right:
        procedure pay(p)                                            cites R"Pay"
          transfer 2 from bank to p.cash
    """
    if unit:
        message = f"{value} is not a whole number of steps of `{unit}`"
        behind = value.partition(".")[2] or "5"
        finer = {"5": "5", "25": "25", "75": "25"}.get(behind, "0" * (len(behind) - 1) + "1")
        help = f"declare a finer step, for example `unit {unit} step 0.{finer}`"
    elif fits:
        message = f"{value} is not a whole number"
        help = f"named or handed on, a number is in no unit: write {value} where `{fits}` is transferred or compared"
    else:
        message = f"{value} is not a whole number"
        help = "only amounts of a unit may have a point: declare one, for example `unit rate step 0.5`"
    return Diagnostic("E0212", message, Label(span, "too fine"), help=help)


@code("E0213")
def division_unrounded(span: Span) -> Diagnostic:
    """A division must say how it is rounded: numbers are exact.

    Wrong:
        define half(n) = n / 2                                      cites R"Half"
    Right:
        define half(n) = n / 2 rounded down                         cites R"Half"
    """
    return Diagnostic(
        "E0213",
        "this division does not say how it is rounded",
        Label(span, "may leave a fraction"),
        help="write `rounded down` or `rounded up` behind it",
    )


@code("E0214")
def bad_step(span: Span, step: str) -> Diagnostic:
    """The smallest step of a unit must go into 1 a whole number of times, so that sums come out even.

    Wrong:
        unit crown step 0.3
    Right:
        unit crown step 0.25
    """
    return Diagnostic(
        "E0214",
        f"a step of {step} does not go into 1 a whole number of times",
        Label(span, "not a possible step"),
        help="for example 1, 0.5, 0.25, 0.1 or 0.01",
    )


@code("E0215")
def which_unit(span: Span, name: str, units: Iterable[str], kinds: str = "") -> Diagnostic:
    """There are several units, or one that is different for each member of an enum, and an account does not say which
    it holds: add `in gold`, or `of each color`.

    Wrong:
        unit gold
        account vault, unlimited
    Right:
        unit gold
        account vault in gold, unlimited
    """
    known = f"`of each {kinds}`" if kinds else " or ".join(f"`in {unit}`" for unit in list(units)[:4])
    return Diagnostic(
        "E0215", f"`{name}` does not say its unit", Label(span, "money of which unit?"), help=f"add {known}"
    )


@code("E0216")
def not_fixed(span: Span) -> Diagnostic:
    """How much a zone may hold is settled before the game: a number, an option, or by the number of players.

    Wrong:
        variable room: number = 3                                   cites R"Room"
        zone tray: row, at most room, seen by all
    Right:
        option room: 2..5 = 3                                       cites R"Room"
        zone tray: row, at most room, seen by all
    """
    return Diagnostic(
        "E0216",
        "this can change during the game",
        Label(span, "not settled before it begins"),
        help="use a number, an `option` or a `table … by players`",
    )
