"""Cambist: finance board games as text. The Python door.

    game = cambist.load("name_or_path")
    match = game.start(players=4, seed=7)
    while match.choice:
        match.answer(match.choice.sample())
    print(match.result)

The names below are imported when they are first used, so that `cambist --help` need not load the parser.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cambist.dsl.diagnostics import RulesError as RulesError
    from cambist.game import Game as Game
    from cambist.game import OptionError as OptionError
    from cambist.game import load as load
    from cambist.game import loads as loads
    from cambist.game import shipped as shipped
    from cambist.interpreter.api import Choice as Choice
    from cambist.interpreter.api import Fault as Fault
    from cambist.interpreter.api import Match as Match
    from cambist.interpreter.api import Refused as Refused
    from cambist.interpreter.api import Result as Result
    from cambist.interpreter.api import SaveError as SaveError
    from cambist.interpreter.api import Source as Source

__version__ = "0.1.0"

_HOMES = {
    "RulesError": "cambist.dsl.diagnostics",
    **dict.fromkeys(("Game", "OptionError", "load", "loads", "shipped"), "cambist.game"),
    **dict.fromkeys(
        ("Choice", "Fault", "Match", "Refused", "Result", "SaveError", "Source"), "cambist.interpreter.api"
    ),
}

__all__ = [
    "Choice", "Fault", "Game", "Match", "OptionError", "Refused", "Result", "RulesError", "SaveError",
    "Source", "load", "loads", "shipped",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
