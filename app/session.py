"""A person plays at the terminal: who answers next, what is shown before, and the commands beside answering.

In: a `Stored` game, a console and a way to read lines. Out: an exit code, and a save when the person leaves.
Persons answer a sealed choice before the bots do. The bots draw from the seed and the number of answers so
far, so that a game goes on the same after it was saved, loaded or taken back.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from shlex import quote

from attrs import evolve
from rich.console import Console

from cambist import stored
from cambist.asking import Asker, Leave
from cambist.commands.arguments import settled_words
from cambist.dsl.render import render
from cambist.interpreter.answers import short
from cambist.interpreter.api import Choice, Fault, Match, Source
from cambist.interpreter.bots import Seat, bot_of
from cambist.interpreter.chance import seed_of
from cambist.interpreter.choices import Answer
from cambist.problems import FOUND, INTERRUPTED
from cambist.reasons import reasons
from cambist.stored import PERSON, Stored
from cambist.table import collapsed, plain, result_table, table, told

LINES_OF_NEWS = 40
LINES_OF_LOG = 60
FORGET_WHAT_SCROLLED = "\x1b[3J"

HELP = """answer with the number before it, or with its text
  several things: `2 5 7` takes them (or gives them back), `done` ends, `all` takes everything
  a name alone is the whole answer, unless something is taken already: then it takes that, too
undo          back to your previous decision; where several persons play, not if something hidden
              (a sealed answer, a card, chance) was shown since
why           the rule that asks, and why the last things happened
log [all]     what has happened
table         the table again
save [FILE]   write the game to a file and go on playing
quit          save and leave
A colon makes a command of a word that is also an answer: `:save`."""


class Session:
    def __init__(
        self,
        game: Stored,
        console: Console,
        read_line: Callable[[str], str],
        path: Path | None,
        autosave: bool,
    ) -> None:
        self.stored = game
        self.match = game.match
        self.console = console
        self.read_line = read_line
        self.path = path  # where `save` and `quit` write: the name that was given last; None: one is made up
        self.autosave = autosave
        self.persons = [seat for seat, kind in enumerate(game.seats) if kind == PERSON]
        self.told = dict.fromkeys(self.persons, self._told_at_start())  # lines of the log each has read
        self.last: int | None = None  # the person who sat at the screen last
        self.back: Match | None = None  # where `undo` leads
        self.asker = Asker(console, read_line, self.heed)

    def _told_at_start(self) -> int:
        """A game that goes on begins with its last lines, a new one with its first."""
        return max(0, len(self.match.log_lines(self.persons[0])) - 12) if self.match.history and self.persons else 0

    def say(self, text: str, style: str = "") -> None:
        for line in text.split("\n"):
            self.console.print(plain(line, style))

    # ---- the loop

    def run(self) -> int:
        self.greet()
        try:
            while (choice := self.match.choice) is not None:
                person = next((seat for seat in choice.deciders if seat in self.persons), None)
                if person is None:
                    self.bot_answers(choice)
                elif not self.person_answers(choice, person):
                    return 0
        except EOFError:
            self.say("\nthe input has ended")
            self.leave()
            return 0
        except KeyboardInterrupt:
            self.say("")
            self.leave()
            return INTERRUPTED
        except Fault as fault:
            return self.broken(fault)
        self.finish()
        return 0

    def greet(self) -> None:
        match, game = self.match, self.stored.game
        options = settled_words(game, match.program.options)
        settings = "".join(f", {name} {value}" for name, value in options.items())
        self.say(f"{game.title}: {match.program.players} players, seed {match.seed}{settings}", "bold")
        names = [match.words.player(seat) for seat in range(match.program.players)]
        bots = [f"{name} ({self.stored.seats[seat]})" for seat, name in enumerate(names) if seat not in self.persons]
        who = " and ".join(names[seat] for seat in self.persons) or "nobody"
        against = f" against {', '.join(bots)}" if bots else ""
        self.say(f"{who} at the keyboard{against}; `help` tells what you can type", "dim")
        if self.stored.changed:
            self.say(
                "the rules have changed since this game began: it goes on, but nothing can be undone",
                "yellow",
            )

    def bot_answers(self, choice: Choice) -> None:
        match, player = self.match, choice.player
        source = Source(seed_of(match.seed, len(match.history) + 1))
        match.advance(player, bot_of(self.stored.seats[player]).answer(Seat(match, player), source))

    def person_answers(self, choice: Choice, person: int) -> bool:
        """False: the person leaves."""
        possible = choice.options(person, limit=2)
        if len(possible) == 1 and possible.complete:
            name, only = self.match.words.player(person), choice.text(possible[0])
            self.say(f"{name}: only `{only}` is possible, so it is done")
            self.match.advance(person, possible[0])
            self.save_if_asked()
            return True
        if not self.hand_over(person):
            return False
        self.news(person)
        self.console.print(table(self.match, person))
        name = self.match.words.player(person)
        before = self.last_answer(person)
        self.say(f"{name} to decide: {self.match.words.phase(self.match.state.frames)}{before}", "bold")
        try:
            answer = self.asker.ask(self.match, person)
        except Leave as wish:
            return self.follow(wish)
        self.say(f"-> {choice.text(answer)}", "green")
        self.take(person, answer)
        return True

    def take(self, person: int, answer: Answer) -> None:
        self.told[person] = len(self.match.log_lines(person)) + 1  # the answer itself needs no telling
        self.match.advance(person, answer)
        self.save_if_asked()

    def hand_over(self, person: int) -> bool:
        """Several persons at one screen: nobody sees the other's cards by accident. False: they leave."""
        if len(self.persons) > 1 and self.last != person:
            name = self.match.words.player(person)
            self.wipe()
            while typed := self.read_line(f"{name}, press Enter when only you can see the screen> ").strip():
                if not self.meanwhile(typed):
                    return False
        self.last = person
        return True

    def wipe(self) -> None:
        self.console.clear()
        if self.console.is_terminal and not self.console.is_dumb_terminal:
            self.console.file.write(FORGET_WHAT_SCROLLED)  # or the other's cards are a turn of the wheel away
            self.console.file.flush()

    def meanwhile(self, typed: str) -> bool:
        """A line typed between two persons: what shows nobody's cards is done. False: they leave."""
        word, _, rest = typed.removeprefix(":").partition(" ")
        if word.lower() == "quit":
            self.leave()
            return False
        if word.lower() in ("save", "help"):
            return self.heed(word.lower(), rest.strip())
        self.say("Enter alone goes on; `save`, `quit` and `help` can be typed here, too", "yellow")
        return True

    def news(self, person: int) -> None:
        lines = self.match.log_lines(person)
        fresh = lines[self.told[person] :]
        self.told[person] = len(lines)
        fresh = collapsed(fresh)
        if len(fresh) > LINES_OF_NEWS:
            self.say(f"... {len(fresh) - LINES_OF_NEWS} lines before that; `log` shows them", "dim")
        for line in fresh[-LINES_OF_NEWS:]:
            self.console.print(told(line, "dim"))

    def last_answer(self, person: int) -> str:
        """What another has just answered: an offer is often a reply to it."""
        name = self.match.words.player(person)
        answers = (line for line in reversed(self.match.log_lines(person)) if " chooses " in line)
        last = next(answers, "")
        return f" ({last})" if last and not last.startswith(f"{name} ") else ""

    # ---- commands

    def heed(self, command: str, argument: str) -> bool:
        """Carry out a command in the middle of a question; False: the question ends."""
        person = self.last if self.last is not None else self.persons[0]
        if command == "undo":
            self.back = self.way_back(person)
            return self.back is None  # where there is no way back, the question goes on as it stands
        if command == "quit":
            return False
        if command == "help":
            self.say(HELP)
        elif command == "table":
            self.console.print(table(self.match, person))
        elif command == "log":
            self.tell_log(person, argument.lower())
        elif command == "why":
            for line, reason in reasons(self.match, person):
                self.console.print(told(line))
                self.say(f"    {reason}", "dim")
        elif command == "save":
            self.save_as(argument)
        return True

    def tell_log(self, person: int, which: str) -> None:
        if which not in ("", "all"):
            self.say(
                f"`log` shows the last {LINES_OF_LOG} lines, `log all` shows all; nothing else follows it", "yellow"
            )
            return
        lines = collapsed(self.match.log_lines(person))
        for line in lines if which else lines[-LINES_OF_LOG:]:
            self.console.print(told(line))
        if not which and len(lines) > LINES_OF_LOG:
            self.say(f"(the last {LINES_OF_LOG} of {len(lines)} lines; `log all` shows all)", "dim")

    def follow(self, wish: Leave) -> bool:
        if wish.command == "quit":
            self.leave()
            return False
        if self.back is not None:
            person, answer = self.match.history[len(self.back.history)]
            self.become(self.back)
            choice = self.match.choice
            assert choice is not None and person in choice.deciders
            self.say(f"back to your decision before `{choice.text(answer)}`", "yellow")
        return True

    def way_back(self, person: int) -> Match | None:
        """To the previous decision of that person that had more than one answer; None: it is said why there is none."""
        if self.stored.changed:
            self.say("nothing can be undone: the rules have changed since this game began", "yellow")
            return None
        history = self.match.history
        for index in range(len(history) - 1, -1, -1):
            if history[index][0] != person:
                continue
            earlier = self.match.replayed(history[:index])
            choice = earlier.choice
            if choice is not None and len(choice.options(person, limit=2)) > 1:
                if not self.tells_too_much(earlier):
                    return earlier
                self.say("that cannot be undone: something hidden was shown since, and others play here, too", "yellow")
                return None
        self.say("there is no earlier decision of yours", "yellow")
        return None

    def tells_too_much(self, earlier: Match) -> bool:
        """Whether a person would decide again and know what was hidden; one alone against bots may."""
        again = {seat for seat, _ in self.match.history[len(earlier.history) :] if seat in self.persons}
        since = len(earlier.log)
        return len(self.persons) > 1 and any(self.match.uncovered(since, seat) for seat in again)

    def become(self, match: Match) -> None:
        self.match = match
        self.stored = evolve(self.stored, match=match)
        for person in self.persons:
            self.told[person] = len(match.log_lines(person))

    # ---- keeping

    def save_as(self, name: str) -> None:
        path = Path(name) if name else self.path or self.free_name()
        if name and path != self.path and self.is_foreign(path):
            self.say(f"`{short(name)}` exists and is no save: choose another name", "yellow")
        elif self.write(path):
            if not self.autosave:  # what is saved after every answer stays where it was asked to be
                self.path = path
            self.say(f"saved in {path}")

    def is_foreign(self, path: Path) -> bool:
        try:
            return path.exists() and not stored.is_save(path)
        except (OSError, ValueError):  # no name of a file at all: writing will tell
            return False

    def save_if_asked(self) -> None:
        if self.autosave and self.path is not None:
            self.write(self.path)

    def write(self, path: Path) -> bool:
        try:
            stored.write(path, self.stored)
        except (OSError, ValueError) as error:  # ValueError: a name with a zero byte
            why = (error.strerror if isinstance(error, OSError) else None) or error
            self.say(f"`{short(str(path))}` could not be written ({why}); try `save OTHER_NAME`", "red")
            return False
        return True

    def free_name(self) -> Path:
        """A name in this folder that no other game has."""
        begin = f"{self.match.program.game}-{self.match.seed}"
        names = (Path(f"{begin}{more}.save.json") for more in ("", *(f"-{n}" for n in range(2, 1000))))
        return next(name for name in names if not name.exists())

    def leave(self) -> None:
        path = self.path or self.free_name()
        if self.write(path):
            self.say(f"saved in {path}; to go on:")
            again = plain(f"    cambist play {quote(self.stored.rules)} --load {quote(str(path))}")
            self.console.print(again, soft_wrap=True)  # in one piece, to be copied

    def broken(self, fault: Fault) -> int:
        """The rules failed: tell where, and keep the game as it was before the last answer."""
        self.say(render(fault.diagnostic), "red")
        if not self.stored.changed:
            try:
                self.become(self.match.replayed(self.match.history[:-1]))
                self.say("the rules of this game have failed; it is kept as it was one answer before")
                self.leave()
            except Fault:
                pass
        return FOUND

    def finish(self) -> None:
        if self.persons:
            for line in self.match.log_lines(self.persons[0])[self.told[self.persons[0]] :][-LINES_OF_NEWS:]:
                self.console.print(told(line, "dim"))
        self.console.print(table(self.match, self.persons[0] if len(self.persons) == 1 else None))
        self.console.print(result_table(self.match))
        self.save_if_asked()
