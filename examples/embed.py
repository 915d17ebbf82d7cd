"""A game inside a Python program: all that a bot, a server or a notebook needs."""

from __future__ import annotations

import json
from pathlib import Path

import cambist

# A ruleset is loaded and checked once. A shipped game goes by its name: cambist.load("money").
game = cambist.load(str(Path(__file__).with_name("03_sealed_tender.rules")))
print(f"{game.title}, for {game.players[0]} to {game.players[-1]} players")

# A match is one game being played. The same seed and the same answers are the same match.
match = game.start(seed=4, seats=["Ann", "Bob", "Cleo"])

# match.choice tells who decides (several, if it is secret) and what may be answered.
choice = match.choice
assert choice is not None
print(f"asked: {', '.join(match.seats[seat] for seat in choice.deciders)}; why: {choice.why}")

# Everything that may be answered, as plain data and in words.
options = choice.options()
print(f"{len(options)} answers, complete: {options.complete}")
print(f"the third is {options[2]}, in words `{choice.text(options[2])}`")

# A wrong answer is refused with a reason, and nothing happens.
print(f"bid 21: {choice.refusal('bid 21')}")
try:
    match.answer("bid 21", by=0)
except cambist.Refused as refused:
    print(f"refused: {refused}")

# Answers are words or data. Secret ones may come in any order.
match.answer("bid 7", by=1)
match.answer(options[0], by=0)

# A view is what one player may know, or a spectator (nobody). Bob's bid is in, but it is not seen.
print(f"Cleo sees: {match.view(2)['accounts']}; in: {match.view(2)['choice']['in']}; her log: {match.log_lines(2)[-1]}")

# A clone is for trying things out; it does not touch the match.
trial = match.clone()
trial.answer("bid 20", by=2)
print(f"if Cleo bid 20 she had {trial.view()['zones']['Cleo.land']['cards']}")
print(f"but so far she has {match.view()['zones']['Cleo.land']['cards']}")

# A save is plain data: a file, a database, another computer. It goes on exactly where it was.
text = json.dumps(match.save())
match = game.restore(json.loads(text))

# The rest of the game at random. Give a source of random numbers of your own, and the game can be repeated.
rng = cambist.Source(11)
while match.choice is not None:
    match.answer(match.choice.sample(rng))

print(f"the last lines of the log: {match.log_lines()[-3:]}")
result = match.result
assert result is not None
for name, score in zip(match.seats, result.scores, strict=True):
    print(f"{name}: {match.score_text(score)}")
print(f"won by {', '.join(match.seats[seat] for seat in result.winners)}: {result.ended_by}")

# The match as it was three answers ago.
print(f"three answers ago {match.undo(3).view()['choice']['deciders']} were asked")
