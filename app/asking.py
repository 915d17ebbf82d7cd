"""One question to a person: what may be answered, and the answer read from lines that are typed.

In: a match, a seat, and a way to read a line. Out: a legal answer, or `Leave` with the command that ends the
question. Short lists are numbered; long ones come in pages; `some of` is picked thing by thing; the whole
answer as text always works. Knows the shapes of picks, no game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import frozen
from rich.console import Console

from cambist.choosing import LISTED_RANGE, ON_SCREEN, Chooser, Pages, place, range_of
from cambist.dsl.render import printable
from cambist.interpreter.answers import short
from cambist.interpreter.api import Match, Refusal
from cambist.interpreter.choices import Answer
from cambist.interpreter.domains.alternatives import LinkedBranch
from cambist.interpreter.domains.picking import Picking
from cambist.interpreter.domains.subset import Subset
from cambist.interpreter.stepwise import Stepwise
from cambist.table import columns, plain

MOST_VALUES = 4_096
COMBINATIONS = 15  # more answers than this of several parts without a word before them are asked for part by part
COMMANDS = ("undo", "why", "log", "table", "save", "help", "quit")


class Leave(Exception):
    """The person wants something else than to answer."""

    def __init__(self, command: str, argument: str = "") -> None:
        super().__init__(command)
        self.command = command
        self.argument = argument


@frozen
class Whole:
    """An answer typed as text where only a part of it was asked for."""

    answer: Answer


class Back(Exception):
    """From the picks of a branch back to the branches."""


@frozen
class Entry:
    """One line of a menu: a whole answer, or a branch that goes on with its picks."""

    text: str
    answer: Answer | None
    branch: LinkedBranch


class Asker:
    """`heed` carries out a command and tells whether the question goes on."""

    def __init__(self, console: Console, read_line: Callable[[str], str], heed: Callable[[str, str], bool]) -> None:
        self.console = console
        self.read_line = read_line
        self.heed = heed

    def ask(self, match: Match, player: int) -> Answer:
        question = Question(self, match, player)
        while True:
            try:
                return question.ask()
            except Back:
                continue


class Question:
    def __init__(self, asker: Asker, match: Match, player: int) -> None:
        self.asker = asker
        self.console = asker.console
        self.match = match
        self.player = player
        self.words = match.words
        choice = match.choice
        assert choice is not None
        self.choice = choice
        self.steps = Stepwise(match, player)
        self.labels = {branch.branch.label for branch in self.steps.branches}

    def say(self, text: str, style: str = "") -> None:
        self.console.print(plain(text, style))

    # ---- lines

    def line(self, prompt: str) -> str:
        """The next line that is no command; a leading colon tells a command from an answer of that name."""
        while True:
            text = " ".join(self.asker.read_line(printable(prompt)).split())
            word, _, rest = text.removeprefix(":").partition(" ")
            is_command = word.lower() in COMMANDS and (text.startswith(":") or word not in self.labels)
            if text and not is_command:
                return text
            if text and not self.asker.heed(word.lower(), rest):
                raise Leave(word.lower(), rest)

    def whole(self, text: str, label: str = "") -> Answer | Refusal:
        """The text as a whole answer; the label of the branch one is in may be left out."""
        found = self.read(text)
        if isinstance(found, Refusal) and label:
            second = self.read(f"{label} {text}")
            return second if not isinstance(second, Refusal) or text.split()[0] != label else found
        return found

    def read(self, text: str) -> Answer | Refusal:
        try:
            return self.match.read(text, self.player)
        except ValueError:  # a number that Python refuses to read
            return Refusal("unclear", f"`{short(text)}` is not understood")

    # ---- which branch

    def ask(self) -> Answer:
        entries = self.entries()
        if len(entries) == 1 and entries[0].answer is None:
            return self.pick_by_pick(entries[0].branch, alone=True)
        pages = Pages(self, [entry.text for entry in entries])
        pages.show()
        while True:
            text = self.line(f"{self.name()}> ")
            if pages.turned(text):
                continue
            number = pages.number(text)
            if number is not None:
                entry = entries[number]
                return entry.answer if entry.answer is not None else self.pick_by_pick(entry.branch)
            if text.isdecimal():
                self.say(f"there is no number {short(text)}; choose 1 to {len(entries)}", "yellow")
                continue
            found = self.whole(text)
            if not isinstance(found, Refusal):
                return found
            begun = [entry for entry in entries if entry.text.startswith(text)]
            if len(begun) == 1:
                entry = begun[0]
                return entry.answer if entry.answer is not None else self.pick_by_pick(entry.branch)
            self.say(str(found), "yellow")

    def name(self) -> str:
        return self.words.player(self.player)

    def entries(self) -> list[Entry]:
        """Whole answers where there are few; otherwise the branch, to be gone into."""
        found: list[Entry] = []
        for branch in self.steps.branches:
            listable = not any(isinstance(pick, Subset) for pick in branch.picks)
            most = ON_SCREEN if branch.branch.label or len(branch.picks) < 2 else COMBINATIONS
            answers = self.steps.answers(branch, most) if listable else None
            if answers is not None and not self.is_range(branch, len(answers)):
                found += [Entry(self.choice.text(answer), answer, branch) for answer in answers]
            elif self.steps.possible(branch):
                names = ", ".join(pick.pick.name for pick in branch.picks)
                found.append(Entry(f"{branch.branch.label} {names} ...".strip(), None, branch))
        return found

    def is_range(self, branch: LinkedBranch, count: int) -> bool:
        """Numbers alone are typed as they are: a number before each would be confusing."""
        if len(branch.picks) != 1 or branch.picks[0].pick.meaning.word not in ("number", "amount"):
            return False
        return count > LISTED_RANGE or (not branch.branch.label and count > 1)

    # ---- pick by pick

    def pick_by_pick(self, branch: LinkedBranch, alone: bool = False) -> Answer:
        so_far: tuple[Any, ...] = ()
        for pick in branch.picks:
            found = self.pick(branch, pick, so_far, alone)
            if isinstance(found, Whole):
                return found.answer
            so_far = (*so_far, found)
        answer = (branch.number, *so_far)
        refusal = self.choice.refusal(answer, self.player)
        if refusal is not None:
            self.say(str(refusal), "yellow")
            raise Back
        return answer

    def pick(self, branch: LinkedBranch, pick: Picking, so_far: tuple[Any, ...], alone: bool) -> Any:
        if isinstance(pick, Subset):
            return self.some(branch, pick, so_far, alone)
        if pick.pick.shape in ("order", "arrangement"):
            return self.arranged(branch, pick, so_far, alone)
        return self.one(branch, pick, so_far, alone)

    def prompt(self, branch: LinkedBranch, pick: Picking) -> str:
        return f"{self.name()}: {branch.branch.label} {pick.pick.name}> ".replace(":  ", ": ")

    def other(self, branch: LinkedBranch, text: str, alone: bool, otherwise: str = "") -> Whole | None:
        """A line inside a branch that is neither a number nor a word: the answer as text, or `back`.

        `otherwise` is said of what is no answer at all: unlike the refusal, it knows the conditions.
        """
        if text == "back" and not alone:
            raise Back
        found = self.whole(text, branch.branch.label)
        if isinstance(found, Refusal):
            foreign = found.rule == "unclear" and text.split()[0] not in self.labels
            self.say(otherwise if otherwise and foreign else str(found), "yellow")
            return None
        return Whole(found)

    def one(self, branch: LinkedBranch, pick: Picking, so_far: tuple[Any, ...], alone: bool) -> Any:
        values = self.steps.values(branch, so_far, MOST_VALUES)
        texts = [self.words.value(pick.pick.meaning, value) for value in values]
        numeric = pick.pick.meaning.word in ("number", "amount")
        pages = None if numeric else Pages(self, texts)
        if pages is not None:
            pages.show()
        else:
            self.say(f"{pick.pick.name}: {range_of(texts)}")
        while True:
            text = self.line(self.prompt(branch, pick))
            if text in texts:
                return values[texts.index(text)]
            if pages is not None:
                if pages.turned(text):
                    continue
                number = pages.number(text)
                if number is not None:
                    return values[number]
            elif text.lstrip("-").replace(".", "").isdecimal():
                self.say(self.not_among(text, pick, texts), "yellow")
                continue
            found = self.other(branch, text, alone, self.not_among(text, pick, texts) if numeric else "")
            if found is not None:
                return found

    def not_among(self, text: str, pick: Picking, texts: list[str]) -> str:
        return f"{short(text)} is not offered; {pick.pick.name} is {range_of(texts)}"

    def some(self, branch: LinkedBranch, pick: Subset, so_far: tuple[Any, ...], alone: bool) -> Any:
        return Chooser(self, branch, pick, so_far, alone).choose()

    def arranged(self, branch: LinkedBranch, pick: Picking, so_far: tuple[Any, ...], alone: bool) -> Any:
        """All numbers in the order wanted; for piles with a slash between two, and what is not named lies alone."""
        items = self.steps.items(pick, branch, so_far)
        piles = pick.pick.shape == "arrangement"
        columns(self.console, [self.words.value(pick.pick.meaning, item) for item in items])
        hint = "all numbers, from the first to the last"
        if piles:
            hint = "piles with `/` between them, each from the first to the last: 2 1 / 3; what is left out lies alone"
        self.say(hint, "dim")
        while True:
            text = self.line(self.prompt(branch, pick))
            parts = [part.split() for part in text.split("/")]
            places = [[place(word, len(items)) for word in part] for part in parts]
            if all(n is not None for part in places for n in part) and (piles or len(parts) == 1):
                chosen = [tuple(items[n] for n in part if n is not None) for part in places]
                if not piles:
                    return chosen[0]
                singles = [(item,) for item in items if not any(item in pile for pile in chosen)]
                return tuple(sorted([*(pile for pile in chosen if pile), *singles]))
            found = self.other(branch, text, alone)
            if found is not None:
                return found
