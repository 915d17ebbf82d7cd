"""Arguments and options that several commands share, and what they mean. Loads a game only when asked."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from cambist.problems import UserError

if TYPE_CHECKING:
    from cambist.game import Game

F = TypeVar("F", bound=Callable[..., Any])
LARGEST_SEED = 2**63 - 1
SETTINGS = re.compile(r"(.+?):(\w+=[^,:=]*(?:,\w+=[^,:=]*)*)")
COMFORTABLE = 4  # players, when nobody says how many


class Seed(click.ParamType[int]):
    """A whole number that fits 63 bits; a type of its own, so that the help does not recite the bounds."""

    name = "seed"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        text = str(value)
        if text.isdecimal() and len(text) < 20 and int(text) <= LARGEST_SEED:
            return int(text)
        self.fail(f"`{text[:40]}` is not a whole number from 0 to {LARGEST_SEED}", param, ctx)


SEED = Seed()


class Number(click.FloatRange):
    """One that is a number: neither `nan`, which is within any bounds, nor endless."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        found = float(super().convert(value, param, ctx))
        if not math.isfinite(found):
            self.fail(f"`{str(value)[:40]}` is not a number", param, ctx)
        return found


def game_argument(function: F) -> F:
    return click.argument("game")(function)


def players_option(function: F) -> F:
    text = f"How many play. [default: {COMFORTABLE}, or the next smaller number the game allows]"
    return click.option("--players", type=int, metavar="N", help=text)(function)


def seats_option(function: F) -> F:
    """Bots alone: nobody is asked."""
    text = "Who sits where: random, greedy, mcts:N. [default: random everywhere]"
    return click.option("--seats", metavar="greedy,random,...", help=text)(function)


def settings_option(function: F) -> F:
    text = "Set an option of the game; may be given several times."
    return click.option("--option", "settings", multiple=True, metavar="NAME=VALUE", help=text)(function)


def engine_option(default: str) -> Callable[[F], F]:
    """--engine, for commands that play; `default` is the engine when nobody says which."""

    def decorate(function: F) -> F:
        text = "What plays: the plain interpreter, or the rules compiled to Python. Both play the same games."
        kinds = click.Choice(["reference", "compiled"])
        return click.option("--engine", type=kinds, default=default, show_default=True, help=text)(function)

    return decorate


def json_option(function: F) -> F:
    return click.option("--json", "as_json", is_flag=True, help="Write JSON for programs.")(function)


def load(name_or_path: str, settings: tuple[str, ...] = ()) -> Game:
    """A game, set as `--option` says."""
    from cambist.game import load as load_game

    return load_game(name_or_path, read_settings(settings))


def load_set(text: str, settings: tuple[str, ...] = ()) -> Game:
    """A game with its settings behind a colon, `money:deals=5`, `small.rules:rounds=4,style=long`, and some more."""
    found = SETTINGS.fullmatch(text)
    return load(text, settings) if found is None else load(found[1], (*found[2].split(","), *settings))


def how_many(game: Game, players: int | None) -> int:
    """The players of --players, or a comfortable number."""
    if players is not None:
        game.machine(players)  # names the numbers allowed, if this is none of them
        return players
    allowed = [n for n in game.players if n <= COMFORTABLE]
    return allowed[-1] if allowed else game.players[0]


def who_plays(game: Game, players: int | None, seats: str | None) -> tuple[str, ...]:
    """A bot for each seat, of --players or --seats."""
    if seats is None:
        return ("random",) * how_many(game, players)
    from cambist.seating import read_seats

    names = read_seats(seats)
    if players is not None and players != len(names):
        raise UserError(f"--seats names {len(names)} players, --players {players}", "leave one of them out")
    game.machine(len(names))
    return names


def read_settings(settings: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for setting in settings:
        name, equal, value = (part.strip() for part in setting.partition("="))
        if not equal or not name or not value:
            raise UserError(f"`{setting}` is not an option's setting", "write `--option NAME=VALUE`")
        if name in found:
            raise UserError(f"the option `{name}` is set twice", "give it once")
        found[name] = value
    return found


def settled_words(game: Game, options: tuple[tuple[str, int], ...]) -> dict[str, int | str]:
    """Settled options as people write them: the names of named values, numbers otherwise."""
    from cambist.dsl.settings import from_number, written

    found: dict[str, int | str] = {}
    for name, number in options:
        value = from_number(game.options[name], number)
        found[name] = written(value) if isinstance(value, bool) else value
    return found


def write_json(data: Any) -> None:
    click.echo(json.dumps(data, indent=2, ensure_ascii=False))
