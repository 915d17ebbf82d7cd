"""Parts of a question that go over several lines: things picked one by one, long lists in pages.

In: the question they belong to. Out: what was picked. They read lines through the question, so that every
command works in the middle of them too.
"""

from __future__ import annotations

from typing import Any, Protocol

from rich.console import Console

from cambist.interpreter.api import Choice, Refusal
from cambist.interpreter.choices import Answer
from cambist.interpreter.describe import Words
from cambist.interpreter.domains.alternatives import LinkedBranch
from cambist.interpreter.domains.picking import Picking
from cambist.interpreter.domains.subset import Subset
from cambist.interpreter.stepwise import Stepwise
from cambist.table import columns

ON_SCREEN = 60  # numbered answers
LISTED_RANGE = 15  # more numbers than this in a row are told as `from ... to ...`


class Question(Protocol):
    """What these parts need of the question they belong to."""

    console: Console
    steps: Stepwise
    words: Words
    choice: Choice
    player: int

    def say(self, text: str, style: str = "") -> None: ...

    def line(self, prompt: str) -> str: ...

    def prompt(self, branch: LinkedBranch, pick: Picking) -> str: ...

    def whole(self, text: str, label: str = "") -> Answer | Refusal: ...

    def other(self, branch: LinkedBranch, text: str, alone: bool) -> Any: ...


def place(word: str, count: int) -> int | None:
    """`3` -> 2, if there are at least three."""
    number = int(word) if word.isdecimal() and len(word) < 7 else 0
    return number - 1 if 1 <= number <= count else None


def _without_done(text: str) -> tuple[str, bool]:
    """`1 3 done` -> `1 3`, and that it ends there."""
    rest, _, word = text.rpartition(" ")
    return (rest.rstrip(", "), True) if word.lower() in ("done", "ok") else (text, False)


class Chooser:
    """Some of several things: a number adds one or takes it back, `done` ends."""

    def __init__(
        self, question: Question, branch: LinkedBranch, pick: Subset, so_far: tuple[Any, ...], alone: bool
    ) -> None:
        self.question = question
        self.steps = question.steps
        self.branch, self.pick, self.so_far, self.alone = branch, pick, so_far, alone
        self.groups = self.steps.equal(pick, self.steps.items(pick, branch, so_far))
        self.texts = [question.words.value(pick.pick.meaning, group[0]) for group in self.groups]
        self.chosen: list[int] = []
        self.begun = False  # something was taken, though it may have been given back

    def choose(self) -> Any:
        question = self.question
        self.show()
        question.say(f"numbers to take or give back, `done` to end ({self.how_many()})", "dim")
        while True:
            typed = question.line(question.prompt(self.branch, self.pick))
            text, last = _without_done(typed)
            words = text.replace(",", " ").split()
            if words == ["all"]:
                words = [str(n + 1) for n, group in enumerate(self.groups) for c in group if c not in self.chosen]
            places = [place(word, len(self.groups)) for word in words]
            if words and all(word.isdecimal() for word in words) and None in places:
                question.say(f"there are the numbers 1 to {len(self.groups)}", "yellow")
                continue
            if None in places:
                found, places = self.by_name(text, typed)
                if found is not None:
                    return found
                if not places:
                    continue
            self.begun = True
            done = [self.toggle(number) for number in places if number is not None]
            if last and all(done) and self.may_end():
                return tuple(sorted(self.chosen))
            self.show()

    def by_name(self, text: str, typed: str) -> tuple[Any, list[int | None]]:
        """A whole answer, or the places of what is named; `typed`: with the `done` that may be part of an answer.

        Once something was taken, a name is one more thing: nobody means to throw the others away.
        """
        question = self.question
        places = self.places_of(text)
        if not places:
            return question.other(self.branch, typed, self.alone), []
        if not self.begun:
            refused = isinstance(question.whole(text, self.branch.branch.label), Refusal)
            if not refused or (len(places) > 1 and len(self.branch.picks) == 1):
                return question.other(self.branch, text, self.alone), []
        return None, places

    def places_of(self, text: str) -> list[int | None]:
        label = self.branch.branch.label
        things = text.removeprefix(f"{label} ") if label else text
        named = self.steps.named(self.pick, [item for group in self.groups for item in group], things)
        return [number for item in named for number, group in enumerate(self.groups) if item in group]

    def how_many(self) -> str:
        least, most = self.steps.bounds(self.pick, self.branch, self.so_far)
        if least == most:
            return f"exactly {least}"
        everything = most >= sum(len(group) for group in self.groups)
        upper = "" if everything else f"at most {most}"
        lower = f"at least {least}" if least else ""
        return ", ".join(filter(None, (lower, upper))) or "any number, also none"

    def toggle(self, number: int) -> bool:
        """Take one more of a group; when all of it is taken, give it back."""
        group = self.groups[number]
        left = [item for item in group if item not in self.chosen]
        if not left:
            self.chosen = [item for item in self.chosen if item not in group]
            return True
        offered, _ = self.steps.offers(self.pick, self.branch, self.so_far, tuple(self.chosen))
        fitting = [item for item in left if item in offered]
        if not fitting:
            self.question.say(f"{self.texts[number]} cannot be added to that: no answer would be left", "yellow")
            return False
        self.chosen.append(fitting[0])
        return True

    def may_end(self) -> bool:
        _, done = self.steps.offers(self.pick, self.branch, self.so_far, tuple(self.chosen))
        if done:
            return True
        question = self.question
        answer = (self.branch.number, *self.so_far, tuple(sorted(self.chosen)))
        refusal = question.choice.refusal(answer, question.player) if len(answer) > len(self.branch.picks) else None
        question.say(str(refusal or f"that is not enough: {self.how_many()}"), "yellow")
        return False

    def show(self) -> None:
        lines = []
        for text, group in zip(self.texts, self.groups, strict=True):
            taken = sum(item in self.chosen for item in group)
            many = f"{len(group)} x " if len(group) > 1 else ""
            mark = "" if not taken else " [taken]" if len(group) == 1 else f" [{taken} taken]"
            lines.append(f"{many}{text}{mark}")
        columns(self.question.console, lines)


class Pages:
    """Numbered lines, so many at a time."""

    def __init__(self, question: Question, texts: list[str]) -> None:
        self.question = question
        self.texts = texts
        self.first = 0

    def show(self) -> None:
        shown = self.texts[self.first : self.first + ON_SCREEN]
        columns(self.question.console, shown, self.first + 1)
        if len(self.texts) > ON_SCREEN:
            last = self.first + len(shown)
            self.question.say(f"{self.first + 1} to {last} of {len(self.texts)}; `more` shows the next", "dim")

    def turned(self, text: str) -> bool:
        if text.lower() != "more":
            return False
        self.first = self.first + ON_SCREEN if self.first + ON_SCREEN < len(self.texts) else 0
        self.show()
        return True

    def number(self, text: str) -> int | None:
        return place(text, len(self.texts))


def range_of(texts: list[str]) -> str:
    """Numbers to choose from in words: all of them if they are few, else the first and the last."""
    if not texts:
        return "nothing"
    if len(texts) <= LISTED_RANGE:
        return ", ".join(texts)
    in_steps_of_one = texts[0].isdecimal() and texts[1] == str(int(texts[0]) + 1)
    return f"{texts[0]} to {texts[-1]}" + ("" if in_steps_of_one else f" ({texts[0]}, {texts[1]}, ...)")
