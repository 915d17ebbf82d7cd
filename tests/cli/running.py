"""The command run inside this process or as one of its own, its output held against schemas/, and a small ruleset."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from attrs import frozen
from click.testing import CliRunner

from cambist.cli import cli
from cambist.schema_check import problems

GAME = "money"
COMMAND = [sys.executable, "-m", "cambist"]

# Every kind of question: some of several equal cards, sealed; labels; a number; money with halves; a limit.
TENDER = """\
game tender "Tender"
  players 2..4
  source R "house rules" language en

option rounds: 1..5 = 2                                             cites R"End"
option style: slow, fast = slow                                     cites R"End"
unit crown step 0.5
account till in crown, unlimited
account purse of each player in crown = 4                           cites R"Parts"
card slip: value: number
deck box of slip, seen by nobody                                    cites R"Parts"
  6 slip 1
  6 slip 2
  6 slip 5
zone hand: bag of each player, seen by owner
zone bid:  bag of each player, seen by all

phase bidding                                                       cites R"Bids"
  secretly each p
    p chooses cards: some of p.hand, possibly none
    move cards to p.bid

phase sale(p)                                                       cites R"Sale"
  p chooses
    keep:
      move p.bid to p.hand
    sell n in 1..3:
      repeat n times
        transfer 0.5 from till to p.purse
      move p.bid to box
    give q in players where q is not p:
      move p.bid to q.hand

play                                                                cites R"Play"
  shuffle box
  each p: move 4 from box to p.hand
  repeat rounds times
    bidding
    each p: sale(p)
  if style = fast: limit too_fast

score p = p.purse                                                   cites R"End"
winner most score, ties shared                                      cites R"End"

example "a sale brings half a crown a point"                        cites R"Sale"
  given player a; phase is sale(a); a.purse = 1
  when a chooses sell 3
  then a.purse = 2.5

invariant slips: (count of c in everything where c is slip) = 18    cites R"Parts"
"""


@frozen
class Ran:
    code: int
    out: str
    err: str

    def data(self, schema: str) -> Any:
        """The output as JSON that fits its schema."""
        data = json.loads(self.out)
        assert problems(schema, data) == []
        return data


def run(*args: str, input: str = "") -> Ran:
    """In this process. Whatever happens, nobody sees a traceback."""
    result = CliRunner(env={"COLUMNS": "100"}).invoke(cli, list(args), input=input)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "Traceback" not in result.stderr
    return Ran(result.exit_code, result.stdout, result.stderr)


def process(*args: str, cwd: Path, input: str = "") -> Ran:
    env = {**os.environ, "COLUMNS": "100"}
    done = subprocess.run([*COMMAND, *args], cwd=cwd, input=input, env=env, capture_output=True, text=True, timeout=60)
    assert "Traceback" not in done.stderr
    return Ran(done.returncode, done.stdout, done.stderr)


def tender(folder: Path, *changes: tuple[str, str]) -> str:
    """The small ruleset written into a folder, with some words replaced; its path."""
    text = TENDER
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = folder / "tender.rules"
    path.write_text(text, "utf-8")
    return str(path)
