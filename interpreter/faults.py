"""Faults: what goes wrong while a game runs, pointing into the rules. R codes and their wording, all of them.

A fault means that the rules (not a player) asked for the impossible. A player's wrong answer is a `Refusal`.
"""

from __future__ import annotations

from attrs import evolve

from cambist.dsl.diagnostics import Diagnostic, Label
from cambist.dsl.program import At

EXPLANATIONS = {
    "R0101": "The rules ran for too long without asking anybody: a loop without end, or one that does far too much.",
    "R0102": "A procedure runs a procedure that runs a procedure, too deeply.",
    "R0103": "Somebody must choose, but there is no legal answer. Give the choice an `otherwise`.",
    "R0104": "The first, last, most or least of nothing was asked for. Say `, or … if none`, or ask before.",
    "R0105": "A table was asked for a key it has no entry for.",
    "R0106": "More components were to be moved than there are. Use `fill`, which stops when the source is empty.",
    "R0107": "Two are still tied after all criteria. Add another `, then …`, or `, ties to first`, or `, all tied`.",
    "R0108": "An account would go below zero. Ask whether there is enough, or declare it `may be negative`.",
    "R0109": "A zone would hold more than its `at most` allows.",
    "R0110": "A number became too large (more than 18 digits) or was divided by zero.",
    "R0111": "A `require` does not hold: the procedure was run where it must not be.",
    "R0112": "A list would become too long (more than 10,000).",
    "R0113": "A track has no space with that value.",
    "R0114": "The game took more decisions than any game may (10,000): it would perhaps never end.",
    "R0115": "An invariant of the ruleset is broken.",
    "R0116": "Money or components were lost or made, which the machine must prevent: please report this.",
    "R0117": "A transfer of a negative amount. Turn it round: transfer from the other account.",
    "R0118": "`roll back` where there is nothing to roll back to: no tentative block, or something was seen since.",
    "R0119": "A transfer between accounts of different units.",
    "R0121": "A law that every ruleset must keep is broken: see the game that `cambist verify` shows.",
    "R0122": "A field was read of a card that has none such. Only where rules are tested; in play it is 0 or nothing.",
    "R0120": "Nobody, or something that is not there, was used like a player, a card or a zone.",
}


class Fault(Exception):
    """Carries a diagnostic; the machine adds the moment of the game."""

    def __init__(self, code: str, message: str, at: At, text: str = "", help: str = "") -> None:
        super().__init__(f"{code} {message}")
        self.at = at
        why = (str(at.because),) if str(at.because) else ()
        self.diagnostic = Diagnostic(code, message, Label(at.span, text), help=help, notes=why, severity="fault")

    def add_moment(self, moment: str) -> None:
        self.diagnostic = evolve(self.diagnostic, notes=(*self.diagnostic.notes, moment))


def too_many_steps(at: At, limit: int) -> Fault:
    return Fault(
        "R0101", f"the rules ran {limit:,} steps without a decision", at, "still running here", "end this loop"
    )


def too_deep(at: At, limit: int) -> Fault:
    return Fault(
        "R0102",
        "procedures are nested too deeply",
        at,
        f"more than {limit} levels",
        "use `repeat`, `while` or `each` instead",
    )


def no_answer(at: At, who: str) -> Fault:
    return Fault("R0103", f"{who} must choose, but no answer is legal", at, "", "give this choice an `otherwise`")


def empty(at: At, what: str) -> Fault:
    return Fault(
        "R0104", f"{what} of nothing", at, "there is none", "ask `… is not empty` before, or say `, or … if none`"
    )


def no_entry(at: At, key: int) -> Fault:
    return Fault("R0105", f"the table has no entry for {key}", at, f"asked for {key}", "add an entry")


def too_few(at: At, wanted: int, there: int) -> Fault:
    return Fault(
        "R0106", f"{wanted} are wanted, but there are {there}", at, "", "use `fill`, or ask for the size before"
    )


def still_tied(at: At) -> Fault:
    return Fault(
        "R0107", "still tied after all criteria", at, "two are equal", "add `, ties to first` or another `, then …`"
    )


def overdrawn(at: At, account: str, amount: str) -> Fault:
    return Fault(
        "R0108",
        f"{account} would go down to {amount}",
        at,
        "not enough in it",
        "ask before, or declare it `, may be negative`",
    )


def zone_full(at: At, zone: str, limit: int) -> Fault:
    return Fault(
        "R0109",
        f"{zone} holds at most {limit}",
        at,
        "one too many",
        "make room first, or let it hold more with `at most`",
    )


def bad_number(at: At, why: str) -> Fault:
    return Fault("R0110", why, at, "here", "ask for its size before, or use smaller numbers")


def require_failed(at: At, text: str) -> Fault:
    return Fault("R0111", f"`{text}` does not hold", at, "required here", "ask for it before this is run")


def too_long(at: At, limit: int) -> Fault:
    return Fault("R0112", f"a list of more than {limit:,}", at, "too long", "use a shorter range")


def no_space(at: At, value: str) -> Fault:
    return Fault("R0113", f"the track has no space {value}", at, "", "use `shift … by …` to move by spaces")


def endless_game(at: At, limit: int) -> Fault:
    return Fault("R0114", f"the game took {limit:,} decisions", at, "", "give the game an end")


def broken_invariant(at: At, name: str, when: str = "") -> Fault:
    return Fault(
        "R0115",
        f"the invariant `{name}` does not hold{when}",
        at,
        "broken",
        "find the rule that breaks it, or mend the invariant",
    )


def broken_machine(why: str) -> Fault:
    return Fault("R0116", why, At(), "", "this is a fault of Cambist")


def negative_transfer(at: At, amount: str) -> Fault:
    return Fault("R0117", f"a transfer of {amount}", at, "negative", "transfer the other way round")


def nothing_to_roll_back(at: At) -> Fault:
    return Fault(
        "R0118", "nothing to roll back to", at, "", "put it into a `tentatively` block, before anything is revealed"
    )


def mixed_units(at: At) -> Fault:
    return Fault(
        "R0119", "a transfer between different units", at, "two units", "transfer between accounts of one unit"
    )


def broken_law(at: At, reason: str) -> Fault:
    return Fault("R0121", reason, at, "", "`cambist verify` shows the game that breaks it")


def no_field(at: At, card: str, field: str, having: str) -> Fault:
    return Fault("R0122", f"a `{card}` has no `{field}`", at, "read here", f"ask `is {having}` before")


def nothing_there(at: At) -> Fault:
    return Fault("R0120", "nobody, or something that is not there, was used here", at, "", "ask `is nobody` before")
