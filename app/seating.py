"""Who sits where, as people write it: `you,mcts:200,greedy,random`. A wrong name is told with the one that is meant."""

from __future__ import annotations

from difflib import get_close_matches

from cambist.interpreter.bots import MOST_PLAYOUTS, NAMES, NoSuchBot, bot_of
from cambist.problems import UserError


def read_seats(text: str, persons: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The seats in order; `persons` are the names that are no bots."""
    names = tuple(word.strip().lower() for word in text.split(","))
    for name in names:
        if name not in persons:
            read_bot(name, persons)
    return names


def read_bot(name: str, persons: tuple[str, ...] = ()) -> str:
    """The name, if a bot has it."""
    try:
        return bot_of(name).name
    except NoSuchBot:
        known = [*persons, *NAMES]
        word, colon, number = name.partition(":")
        if get_close_matches(word, ["mcts"], 1):
            wanted = f"`mcts:N` is a bot with N playouts a decision, 1 to {MOST_PLAYOUTS}: `mcts:100`"
        elif close := get_close_matches(word, known, 1, 0.5):
            wanted = f"did you mean `{close[0]}`?"
        else:
            wanted = f"a seat is one of {', '.join(f'`{one}`' for one in known)}"
        raise UserError(f"`{name}` cannot sit at the table", wanted) from None
