"""Words: names turned into words, plurals, articles, lists, small numbers. Knows no node."""

from __future__ import annotations

import re
from collections.abc import Iterable

from cambist.dsl.prose.marks import bare, sentence

IRREGULAR = {
    "person": "people",
    "half": "halves",
    "die": "dice",
    "foot": "feet",
    "bonus": "bonuses",
    "series": "series",
    "money": "money",
    "cash": "cash",
    "gold": "gold",
}
PARTICIPLE = re.compile(r"(?:[^e]ed|eld|ept|aid|ealt|aught|ought|awn|old)$")
NOT_PARTICIPLES = {
    "bed",
    "need",
    "speed",
    "seed",
    "aid",
    "gold",
    "field",
    "shield",
    "yield",
    "red",
    "threshold",
    "hundred",
}
VERBS = {"is", "are", "has", "have", "may", "can", "must", "leads", "lead", "goes", "go", "holds"}
PLURAL_VERBS = {
    "is": "are",
    "has": "have",
    "does": "do",
    "was": "were",
    "holds": "hold",
    "lies": "lie",
    "stands": "stand",
    "belongs": "belong",
}
SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
NOT_SO = "it is not so that "


def words(name: str) -> str:
    """`buy_low` is buy low; of `module.name` the name."""
    return name.rpartition(".")[2].replace("_", " ").strip() or name


def plural(noun: str) -> str:
    head, _, last = noun.rpartition(" ")
    before = f"{head} " if head else ""
    if last.lower() in IRREGULAR.values():
        return noun
    if last.lower() in IRREGULAR:
        return before + IRREGULAR[last.lower()]
    if last.endswith("s") and not last.endswith("ss") and len(last) > 3:
        return noun  # it is several already
    if re.search(r"(?:s|x|z|ch|sh)$", last):
        return f"{before}{last}es"
    if re.search(r"[^aeiou]y$", last):
        return f"{before}{last[:-1]}ies"
    return f"{before}{last}s"


def is_plural(noun: str) -> bool:
    last = bare(noun).rpartition(" ")[2].lower()
    alone = last in IRREGULAR and IRREGULAR[last] == last
    return (last.endswith("s") and not last.endswith(("ss", "us", "is"))) or (last in IRREGULAR.values() and not alone)


def a(noun: str) -> str:
    """With its indefinite article."""
    if noun.startswith("other "):
        return f"an{noun}"
    read = bare(noun).lower()
    vowel = read[:1] in tuple("aeiou") and not read.startswith(("uni", "eu", "one"))
    return f"{'an' if vowel else 'a'} {noun}"


def possessive(noun: str) -> str:
    read = bare(noun)
    if read in ("they", "it", "you"):
        return {"they": "their", "it": "its", "you": "your"}[read]
    return f"{noun}’" if read.endswith("s") else f"{noun}’s"


def is_participle(name: str) -> bool:
    last = name.rpartition(" ")[2]
    return bool(PARTICIPLE.search(last)) and last not in NOT_PARTICIPLES


def is_clause(name: str) -> bool:
    """`year is full` can stand as a clause; `affordable` cannot."""
    inside = name.split(" ")
    return len(inside) > 1 and any(word in VERBS for word in inside[:-1])


def listed(items: Iterable[str], word: str = "and") -> str:
    parts = list(items)
    if len(parts) < 2:
        return "".join(parts)
    apart = "; " if any("," in bare(part) for part in parts) else ", "
    if len(parts) == 2:
        return f"{parts[0]} {word} {parts[1]}"
    return f"{apart.join(parts[:-1])}{apart.rstrip() if apart == '; ' else ''} {word} {parts[-1]}"


def counted(count: int, noun: str) -> str:
    return f"{count} {noun if count == 1 else plural(noun)}"


def times(count: str) -> str:
    if not count.isdecimal():
        return f"as many times as {count}"
    return {"1": "once", "2": "twice"}.get(count, f"{count} times")


def relative(noun: str, phrase: str, clause: str, several: bool = False, person: bool = False) -> str:
    """“player” and “that player’s hand is empty” are “player whose hand is empty”."""
    own, subject = f"{possessive(phrase)} ", f"{phrase} "
    if clause.startswith(own):
        return f"{noun} whose {clause[len(own) :]}"
    if clause.startswith(subject) and phrase not in clause[len(subject) :]:
        rest = clause[len(subject) :]
        verb, _, more = rest.partition(" ")
        if several and verb in PLURAL_VERBS:
            rest = f"{PLURAL_VERBS[verb]} {more}"
        return f"{noun} {'who' if person else 'that'} {rest}"
    if clause.startswith(NOT_SO):
        rest = clause[len(NOT_SO) :]
        whole = rest.startswith("(") and rest.endswith(")") and rest.count("(") == 1
        return f"{noun}, except where {rest[1:-1] if whole else rest}"
    return f"{noun} for {'whom' if person else 'which'} {clause}"


def remarked(text: str, comment: str) -> str:
    """A sentence with what the author says beside it: in brackets, or as sentences of its own."""
    if not comment:
        return sentence(text)
    if comment[:1].isupper() and comment.rstrip().endswith((".", "!", "?")) and not text.endswith(":"):
        return f"{sentence(text)} {sentence(comment)}"
    colon = ":" if text.endswith(":") else ""
    return sentence(f"{text.rstrip(':')} ({comment.rstrip('.')}){colon}")


def superscript(number: str) -> str:
    return number.translate(SUPERSCRIPT)
