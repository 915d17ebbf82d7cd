"""E03xx: laws of the whole ruleset: ties, totality, forced choices, hidden things, parts that never run."""

from __future__ import annotations

from cambist.dsl.diagnostics import Diagnostic, Label
from cambist.dsl.messages.registry import code
from cambist.dsl.source import Span


@code("E0301")
def tie_without_policy(span: Span, word: str) -> Diagnostic:
    """`most` or `least` picks one, and two may be equal; the rules must say what a tie does.

    Write `, then most …` (a second criterion, which must decide), `, ties to first` (the first in order) or
    `, all tied` (a list of all of them). A `winner` needs `, ties shared` at the end.

    Wrong:
        define richest = the p in players with most p.cash
    Right:
        define richest = the p in players with most p.cash, all tied
    """
    return Diagnostic(
        "E0301",
        f"`{word}` without a tie policy",
        Label(span, "two can be equal here"),
        help="add `, then least …`, `, ties to first` or `, all tied`"
        if word != "winner"
        else "add `, ties shared` at the end",
    )


@code("E0302")
def may_be_empty(span: Span, what: str, source: str, in_a_value: bool) -> Diagnostic:
    """One of several is asked for where there may be none.

    Ask first. Among statements: `if shelf is not empty`, or `require shelf is not empty` at the top of a procedure.
    In a definition: `shelf is not empty and (…)` for a condition, `… if shelf is not empty else …` for a value.

    `most of`, `least of` and `the` may say instead what there is then: `, or 0 if none`, `, or nobody if none`. Nothing
    can be reached of nobody: ask first where a field follows.

    Wrong:
        define dearest = most of c.value for c in shelf
    Right:
        define dearest = most of c.value for c in shelf, or 0 if none
        define first_value = (first of shelf).value if shelf is not empty else 0
    """
    asked = f"{source if source and len(source) < 40 else '…'} is not empty"
    if in_a_value:
        help = f"write `{asked} and (…)` for a condition, `… if {asked} else …` for a value"
    else:
        help = f"put it below `if {asked}`, or `require {asked}` before it"
    if what not in ("first of", "last of"):  # which cannot say so
        help = f"add `, or … if none`, or {help}" if source else "add `, or … if none`"
    return Diagnostic("E0302", f"`{what}` may find nothing", Label(span, "there may be none"), help=help)


@code("E0303")
def choice_without_otherwise(span: Span, named: bool) -> Diagnostic:
    """Somebody must choose, but there may be nothing to choose from.

    Add a branch without `where` that is always possible, or an `otherwise` that says what happens then.

    Wrong:
        procedure discard(p)                                        cites R"Discard"
          p chooses c in p.hand
          move c to stock
    Right:
        procedure discard(p)                                        cites R"Discard"
          p chooses c in p.hand
          otherwise
            return
          move c to stock
    """
    why = "every branch has a condition or may be empty" if named else "there may be nothing to choose from"
    help = "add an `otherwise` below it" + (", or a branch without `where`" if named else "")
    return Diagnostic("E0303", "this choice may have no answer", Label(span, why), help=help)


@code("E0304")
def sees_hidden(span: Span, zone: str, who: str, declared: Span) -> Diagnostic:
    """What a player is offered depends on something hidden from that player.

    The offer itself would give it away.

    Wrong:
        procedure peek(p)                                           cites R"Peek"
          p chooses c in stock
          otherwise
            return
          move c to p.hand
    Right:
        procedure buy(p)                                            cites R"Buy"
          p chooses c in shelf
          otherwise
            return
          move c to p.hand
    """
    return Diagnostic(
        "E0304",
        f"the choice of `{who}` depends on `{zone}`, which is hidden from `{who}`",
        Label(span, "hidden"),
        (Label(declared, "its visibility"),),
        help="choose from what the player can see, or change who sees it",
        about=f"what {who} sees",
    )


@code("E0315")
def shows_hidden(span: Span, zone: str, name: str, declared: Span) -> Diagnostic:
    """A `show` tells something that is hidden from those who see it.

    Wrong:
        show riches(p): sum of c.value for c in p.hand
    Right:
        show riches(p), seen by owner: sum of c.value for c in p.hand
    """
    return Diagnostic(
        "E0315",
        f"`{name}` tells what lies in `{zone}`, which not all who see it may see",
        Label(span, "hidden from some of them"),
        (Label(declared, "its visibility"),),
        help=f"write `show {name}(p), seen by owner`, or show something that all may see",
    )


@code("E0305")
def never_runs(span: Span, what: str, name: str) -> Diagnostic:
    """A phase or procedure is written but nothing runs it.

    Wrong:
        phase forgotten                                             cites R"Forgotten"
          shuffle box
    Right:
        phase opening                                               cites R"Opening"
          shuffle box
        play                                                        cites R"Play"
          opening
    """
    return Diagnostic(
        "E0305",
        f"the {what} `{name}` never runs",
        Label(span, "nothing runs it"),
        help="run it from `play`, or take it out",
        about=name,
    )


@code("E0306")
def secret_without_choice(span: Span, who: str) -> Diagnostic:
    """`secretly each p` opens with the choice of that `p`; what follows happens when all answers are in.

    Wrong:
        procedure bids                                              cites R"Bid"
          secretly each p
            move p.hand to shelf
    Right:
        procedure bids                                              cites R"Bid"
          secretly each p
            p chooses cards: some of p.hand, possibly none
            move cards to shelf
    """
    return Diagnostic(
        "E0306",
        f"`secretly each {who}` must open with a choice of `{who}`",
        Label(span, f"not a choice of `{who}`"),
        help=f"begin with `{who} chooses …`",
    )


@code("E0307")
def leave_outside_loop(span: Span) -> Diagnostic:
    """`leave` ends the nearest `repeat` or `while`; here there is none.

    Wrong:
        procedure stop_now                                          cites R"Stop"
          leave
    Right:
        procedure stop_now                                          cites R"Stop"
          return
    """
    return Diagnostic(
        "E0307",
        "`leave` stands in no loop",
        Label(span, "nothing to leave"),
        help="use `return` to end a procedure",
    )


@code("E0320")
def never_ends(span: Span, tested: bool) -> Diagnostic:
    """A loop goes on for ever: nothing in it leaves it, and what it waits for cannot change.

    End it with `leave`, `return` or `end game`, or wait for something that the rules change.

    Wrong:
        play                                                        cites R"Play"
          repeat
            each p: transfer 1 from bank to p.cash
          forever
    Right:
        play                                                        cites R"Play"
          repeat
            each p: transfer 1 from bank to p.cash
            if bank < -40: leave
          forever
    """
    why = "is always the same" if tested else "nothing in it ends it"
    help = "put a `leave`, `return` or `end game` below an `if` into it, or `repeat … times`"
    return Diagnostic("E0320", "this loop never ends", Label(span, why), help=help)


@code("E0321")
def too_few(span: Span, asked: int, there: int) -> Diagnostic:
    """An example puts more components on the table than the decks have.

    Wrong:
        example "a full shelf"                                      cites R"Shelf"
          given shelf holds 7 chip red 5
          then size of shelf = 7
    Right:
        example "a full shelf"                                      cites R"Shelf"
          given shelf holds 3 chip red 5
          then size of shelf = 3
    """
    return Diagnostic(
        "E0321",
        f"the example needs {asked} of these, and there {'is' if there == 1 else 'are'} {there or 'none'}",
        Label(span, "more than the decks have" if there else "no deck has it"),
        help="give fewer, or correct the rows of the deck",
    )


@code("E0308")
def example_proves_nothing(span: Span, name: str) -> Diagnostic:
    """An example has no `then` and no `refused`, so that it cannot fail.

    Wrong:
        example "nothing is claimed"
          given player p; p.cash = 3
    Right:
        example "something is claimed"
          given player p; p.cash = 3
          then p.cash = 3
    """
    return Diagnostic(
        "E0308",
        f"the example {name} claims nothing",
        Label(span, "cannot fail"),
        help="add a `then` or a `refused`",
        about="then",
    )


@code("E0309")
def not_in_an_expression(span: Span, name: str) -> Diagnostic:
    """A procedure or a phase stands inside an expression.

    It changes the game, so it is a statement of its own, or stands behind `let x =`.

    Wrong:
        procedure deal(p)                                           cites R"Deal"
          move 1 from stock to p.hand
        define odd(p) = deal(p) + 1
    Right:
        define even(p) = size of p.hand + 1
    """
    return Diagnostic(
        "E0309",
        f"`{name}` is a procedure and cannot stand inside an expression",
        Label(span, "changes the game"),
        help=f"run it on a line of its own, for example `let x = {name}(…)`",
    )


@code("E0310")
def wrong_number_of_results(span: Span, name: str, given: int, wanted: int) -> Diagnostic:
    """`let` names more or fewer values than there are. A procedure gives what stands behind its `return`.

    Wrong:
        procedure dealt(p)                                          cites R"Deal"
          return size of p.hand
        procedure look(p)                                           cites R"Deal"
          let many, more = dealt(p)
    Right:
        procedure dealt(p)                                          cites R"Deal"
          return size of p.hand, size of shelf
        procedure look(p)                                           cites R"Deal"
          let many, more = dealt(p)
    """
    what = f"`{name}` gives" if name else "this gives"
    many = f"{given or 'no'} result{'s' if given != 1 else ''}"
    return Diagnostic(
        "E0310",
        f"{what} {many}, not {wanted}",
        Label(span, f"{wanted} wanted"),
        help="name as many as it returns",
    )


@code("E0311")
def may_give_no_result(span: Span, name: str, declared: Span) -> Diagnostic:
    """A procedure is asked for a result and may come to its end without a `return`.

    Wrong:
        procedure dealt(p)                                          cites R"Deal"
          if p.hand is not empty: return 1
        procedure look(p)                                           cites R"Deal"
          let many = dealt(p)
    Right:
        procedure dealt(p)                                          cites R"Deal"
          if p.hand is not empty: return 1
          return 0
        procedure look(p)                                           cites R"Deal"
          let many = dealt(p)
    """
    return Diagnostic(
        "E0311",
        f"`{name}` may end without a result",
        Label(span, "a result is needed here"),
        (Label(declared, "does not return on every way through"),),
        help=f"add a `return` at the end of `{name}`",
    )


@code("E0312")
def table_without_entry(span: Span, name: str, players: int) -> Diagnostic:
    """A table by the number of players leaves out a number that may play.

    Wrong:
        table room by players: 2: 7, 4: 13                          cites R"Room"
    Right:
        table room by players: 2: 7, 3: 10, 4: 13                   cites R"Room"
    """
    return Diagnostic(
        "E0312",
        f"`{name}` has no entry for {players} players",
        Label(span, "incomplete"),
        help=f"add `{players}: …`",
    )


@code("E0313")
def bad_key(span: Span, key: str, limit: int) -> Diagnostic:
    """A table has entries for 0, 1, 2 … only, and each once.

    Wrong:
        table steps: -1: 5, 0: 6                                    cites R"Steps"
        invariant some_steps: steps[0] = 6                          cites R"Steps"
    Right:
        table steps: 0: 5, 1: 6                                     cites R"Steps"
        invariant some_steps: steps[1] = 6                          cites R"Steps"
    """
    return Diagnostic(
        "E0313",
        f"a table cannot have an entry for {key}",
        Label(span, "not a possible key"),
        help=f"keys are 0 to {limit:,}",
    )


@code("E0314")
def does_nothing(span: Span, name: str) -> Diagnostic:
    """A line only says a value, and changes nothing. Statements begin with a word like `move`, or run a procedure.

    Wrong:
        define double(n) = n + n
        procedure twice(p)                                          cites R"Twice"
          double(2)
    Right:
        define double(n) = n + n
        procedure twice(p)                                          cites R"Twice"
          transfer double(2) from bank to p.cash
    """
    return Diagnostic(
        "E0314",
        f"`{name}` does nothing by itself",
        Label(span, "a value, not a statement"),
        help="use the value, for example `let x = …`, or run a procedure",
    )


@code("E0316")
def before_outside_law(span: Span) -> Diagnostic:
    """`before(…)` compares two states of a game, and only `invariant`, `reachable` and `measure` do that.

    A rule knows the present alone. What it needs of the past it keeps in a `variable`, or in a `let` above.

    Wrong:
        procedure pay(p)                                            cites R"Pay"
          if p.cash < before(p.cash): set leader to p
    Right:
        invariant only_down: every p where p.cash <= before(p.cash)
          cites R"Pay"
    """
    return Diagnostic(
        "E0316",
        "`before` stands outside a law",
        Label(span, "a rule does not know what was"),
        help="use it in an `invariant`; a rule keeps what it needs with `let` or in a `variable`",
    )
