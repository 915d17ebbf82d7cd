"""Text -> an answer: the words a person types, a record holds or an example says, matched against what is offered.

Cards may be named by the first of their fields (`chip red`), equal things by a number before (`2 chip red 5`).
"""

from __future__ import annotations

import re
from typing import Any

from cambist.dsl import program as p
from cambist.interpreter.choices import Answer, Refusal
from cambist.interpreter.describe import Words
from cambist.interpreter.domains.alternatives import LinkedBranch, put
from cambist.interpreter.domains.picking import Picking
from cambist.interpreter.limits import STEPS_PER_DECISION
from cambist.interpreter.machine import Machine
from cambist.interpreter.state import State

LISTED = re.compile(r"\[([^\[\]]*)\]")  # a field with several things in it, as rules write it
LISTED_MOST = 8  # things in a message
QUOTED_MOST = 80  # letters of what was typed


def _as_printed(found: re.Match[str]) -> str:
    return "-".join(part.strip() for part in found[1].split(",")) or "none"


def short(text: str) -> str:
    """What was typed, to be quoted: as much of it as anyone needs to know it again."""
    return text if len(text) <= QUOTED_MOST else f"{text[:QUOTED_MOST]}…"


class Unclear(Exception):
    """The text names nothing that is offered."""


def read_answer(
    machine: Machine, state: State, player: int, text: str, words: Words, exact: bool = True
) -> Answer | Refusal:
    """Not `exact`: where the words fit several, any of them is meant, as examples say it; the first is taken."""
    domain = machine.domain(state)
    state.fuel = STEPS_PER_DECISION
    local = machine.locals_for(state, player)
    text = " ".join(text.split())
    label, _, rest = text.partition(" ")
    try:
        for branch in domain.branches:
            if not branch.branch.label:
                return _read_branch(branch, state, local, text, words, exact)
            if branch.branch.label == label:
                return _read_branch(branch, state, local, rest.strip(), words, exact)
    except Unclear as unclear:
        return Refusal("unclear", str(unclear), domain.plan.at)
    labels = ", ".join(f"`{b.branch.label}`" for b in domain.branches)
    return Refusal("unclear", f"`{short(label)}` is not one of {labels}", domain.plan.at)


def _read_branch(branch: LinkedBranch, state: State, local: list[Any], text: str, words: Words, exact: bool) -> Answer:
    picks = branch.picks
    if not picks:
        if text:
            raise Unclear(f"nothing should follow `{branch.branch.label}`, but `{short(text)}` does")
        return (branch.number,)
    parts = [text] if len(picks) == 1 else _split(text)
    if len(parts) != len(picks):
        names = ", ".join(pick.pick.name for pick in picks)
        form = f"{branch.branch.label} {names}".strip()
        raise Unclear(f"{len(picks)} things are asked for, separated by commas: `{form}`")
    answer: Answer = (branch.number,)
    named: set[int] = set()  # of two equal cards, the second is meant when the first is named already
    for pick, part in zip(picks, parts, strict=True):
        value = _read_pick(pick, state, local, part, words, len(picks) == 1, named, exact)
        if pick.pick.meaning.word == "card":
            named.update([value] if isinstance(value, int) else [])
        put(local, pick.slot, value)
        answer = (*answer, value)
    return answer


def _split(text: str) -> list[str]:
    """At commas outside parentheses and brackets."""
    parts, depth = [""], 0
    for character in text:
        depth += (character in "([") - (character in ")]")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts]


def _read_pick(
    pick: Picking, state: State, local: list[Any], text: str, words: Words, alone: bool, named: set[int], exact: bool
) -> Any:
    meaning, items = pick.pick.meaning, list(pick.source(state, local))
    if meaning.word == "card":
        items.sort(key=lambda item: item in named)
    if pick.pick.shape == "in":
        return _one(text, items, meaning, words, pick.pick.name, exact)
    inner = text if alone else text.removeprefix("(").removesuffix(")")
    if pick.pick.shape == "arrangement":
        if text in ("", "nothing"):
            return ()
        piles = []
        for part in _split(text):
            inside = part.removeprefix("(").removesuffix(")")
            pile = read_several(inside, items, meaning, words, pick.pick.name, exact)
            items = [i for i in items if i not in pile]
            piles.append(tuple(pile))
        return tuple(sorted(piles))
    found = read_several(inner, items, meaning, words, pick.pick.name, exact)
    return tuple(found) if pick.pick.shape == "order" else tuple(sorted(found))


def read_several(
    text: str, items: list[int], meaning: p.Meaning, words: Words, name: str, exact: bool = True
) -> list[int]:
    """The things that a text names one after the other; `Unclear` if it names anything else."""
    if text in ("", "nothing"):
        return []
    found: list[int] = []
    for part in _split(text):
        count, _, rest = part.partition(" ")
        counted = meaning.word == "card" and rest and len(count) < 6 and count.isascii() and count.isdecimal()
        times, what = (int(count), rest) if counted else (1, part)
        for _ in range(min(times, 1000)):
            left = [item for item in items if item not in found]
            _expect_another(what, left, found, meaning, words, name)
            found.append(_one(what, left, meaning, words, name, exact))
    return found


def _expect_another(text: str, left: list[int], found: list[int], meaning: p.Meaning, words: Words, name: str) -> None:
    """What is named too often is offered all the same: it is said how many there are."""
    there = _fitting(text, found, meaning, words) if text and not _fitting(text, left, meaning, words) else []
    if there:
        raise Unclear(f"there is only {len(there)} x `{short(text)}` for `{name}`")


def _one(text: str, items: list[int], meaning: p.Meaning, words: Words, name: str, exact: bool) -> int:
    if not text:
        raise Unclear(f"`{name}` is missing")
    fitting = _fitting(text, items, meaning, words)
    alike = list(dict.fromkeys(words.value(meaning, item) for item in fitting))
    if exact and len(alike) > 1:  # the first of them may not be the one that was meant
        raise Unclear(f"`{short(text)}` fits several for `{name}`; which one? {_listed(alike)}")
    if fitting:
        return fitting[0]
    offered = list(dict.fromkeys(words.value(meaning, item) for item in items))
    there = _listed(offered) if offered else "nothing"
    raise Unclear(f"`{short(text)}` is not offered for `{name}`; there is {there}")


def _fitting(text: str, items: list[int], meaning: p.Meaning, words: Words) -> list[int]:
    """What is called so in full; if nothing is, what begins so."""
    exactly = [item for item in items if words.value(meaning, item) == text]
    found = exactly or [item for item in items if words.value(meaning, item).lower() == text.lower()]
    if found or meaning.word != "card":
        return found
    wanted = LISTED.sub(_as_printed, text.replace("+", "")).split()
    return [item for item in items if words.card(item).split()[: len(wanted)] == wanted]


def _listed(texts: list[str]) -> str:
    return ", ".join(f"`{text}`" for text in texts[:LISTED_MOST]) + (" …" if len(texts) > LISTED_MOST else "")
