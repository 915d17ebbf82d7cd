"""Whatever stands in a file, it is a ruleset that can be lowered or gets diagnostics: no exception, no long wait."""

from __future__ import annotations

import time
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import cambist
from cambist.dsl.api import check_text, lower
from cambist.dsl.finding import library_folder, shipped
from cambist.dsl.render import render_all
from cambist.dsl.words import AFTER_COMMA, CLAUSE, CONNECTING, DECLARATION, HEAD, PAIRS, STATEMENT
from cambist.interpreter.explore import play_random
from tests.diagnostics.test_goldens import assert_no_terminal
from tests.harness.fragments import whole
from tests.hostile.generator import Generator
from tests.hostile.mutations import mutated

SMALL = [path.read_text("utf-8") for path in sorted(library_folder().glob("*.rules"))]
LARGE = [path.read_text("utf-8") for path in shipped().values()]
STUB = Path(__file__).parents[1].joinpath("harness", "stub.rules").read_text("utf-8")
MUTATIONS, GENERATED, AT_A_TIME = 320, 120, 20
SLOWEST = 2.0  # seconds of computing for one text, on a slow machine

WORDS = sorted(DECLARATION | STATEMENT | CLAUSE | HEAD | CONNECTING)
PHRASES = [" ".join(words) for words in PAIRS] + [", " + " ".join(words) for words in AFTER_COMMA]
SIGNS = "( ) [ ] { } , : ; . .. = != < <= > >= + - * / § # \" ' % \t \\".split(" ")
NAMES = 'p c hand shelf stock cash bank red blue chip color leader x 1 2 0.5 999999999999999999 "text" cites R'.split(
    " "
)


def judge(text: str) -> None:
    """Check the text, read what is said of it, and lower it if nothing is wrong."""
    before = time.process_time()
    ruleset, report = check_text(text)
    assert_no_terminal(render_all(report.sorted()))
    if ruleset is None:
        assert report.has_errors
    else:
        for players in {ruleset.players[0], ruleset.players[-1]}:
            lower(ruleset, players)
    assert time.process_time() - before < SLOWEST, text


@pytest.mark.parametrize("first", range(0, MUTATIONS, AT_A_TIME))
def test_mutated_rulesets(first: int) -> None:
    for seed in range(first, first + AT_A_TIME):
        random = Random(seed)
        judge(mutated(random.choice(SMALL if seed % 8 else LARGE), random))


@pytest.mark.parametrize("first", range(0, GENERATED, AT_A_TIME))
def test_generated_rules_are_refused_or_played(first: int) -> None:
    for seed in range(first, first + AT_A_TIME):
        text = whole(Generator(seed, noise=0.002 if seed % 2 else 0.03).ruleset()).text
        judge(text)
        ruleset, _ = check_text(text)
        if ruleset is not None:
            play(cambist.Game(ruleset), seed)


def play(game: cambist.Game, seed: int) -> None:
    source = cambist.Source(seed)
    try:
        match = game.start(players=2, seed=seed)
        for _ in range(40):
            if match.choice is None:
                break
            match.choice.options(limit=20)
            match.answer(match.choice.sample(source))
            match.view(0)
    except cambist.Fault as fault:
        assert fault.diagnostic.code.startswith("R01")
    try:
        play_random(game.machine(2), seed, 0, check=True)
    except cambist.Fault as fault:
        assert fault.diagnostic.code.startswith("R01") and fault.diagnostic.code != "R0116"


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.sampled_from([*WORDS, *PHRASES, *SIGNS, *NAMES, "\n", "\n  ", "\n    "]), max_size=60))
def test_any_words(words: list[str]) -> None:
    judge(STUB + "\n" + " ".join(words) + "\n")


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=300))
@example('\ufeffgame x "y"\r\n  players 2..4\r\n')
@example('game\x85x\u2028"y"')
@example("\ud800")
def test_any_characters(text: str) -> None:
    judge(text)
    judge(STUB + text)
