"""Cambist: finance board games as text. The Python door.

    game = cambist.load("money")
    match = game.start(players=4, seed=7)
    while match.choice:
        match.answer(match.choice.sample())
    print(match.result)
"""

from cambist.dsl.diagnostics import RulesError as RulesError
from cambist.game import Game as Game
from cambist.game import OptionError as OptionError
from cambist.game import load as load
from cambist.game import loads as loads
from cambist.interpreter.api import Choice as Choice
from cambist.interpreter.api import Fault as Fault
from cambist.interpreter.api import Match as Match
from cambist.interpreter.api import Refused as Refused
from cambist.interpreter.api import Result as Result
from cambist.interpreter.api import SaveError as SaveError
from cambist.interpreter.api import Source as Source

__version__ = "0.1.0"
