"""Every hostile file comes to a clear end within seconds: a diagnostic or a fault with a code, never a traceback."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

import cambist
from cambist.dsl.api import check_file
from cambist.dsl.render import render, render_all
from tests.hostile.files import FILES, HEAD, TAIL, Hostile, rules, sheet

SLOWEST = 10.0  # seconds of the processor for one file, so that work beside the tests does not count
MOST_MEMORY = 1024 * 1024 * 1024  # bytes for a process of its own
ALONE = {"brackets_over_many_lines", "sheet_with_aliases", "sheet_twenty_thousand_deep", "doubling_definitions"}
ALONE |= {"thousands_of_mistakes", "nested_quantifiers", "every_combination", "file_of_ten_megabytes"}
ALONE |= {"sheet_of_a_quarter_megabyte"}  # counting coverage makes the reader of sheets several times slower


def outcome(name: str) -> tuple[str, str]:
    """The code a file ends with, and what a person reads of it."""
    ruleset, report = check_file(name)
    if ruleset is None:
        found = report.sorted()
        assert found, "refused without a reason"
        return found[0].code, render_all(found)
    try:
        match = cambist.Game(ruleset).start(seed=1)
        source = cambist.Source(1)
        while match.choice is not None:
            match.answer(match.choice.sample(source))
    except cambist.Fault as fault:
        return fault.diagnostic.code, render(fault.diagnostic)
    return "", f"played to the end: {match.result}"


@pytest.mark.parametrize("file", [f for f in FILES if f.name not in ALONE], ids=str)
def test_hostile_file(file: Hostile, tmp_path: Path) -> None:
    name = file.write(tmp_path)
    before = time.process_time()
    code, text = outcome(name)
    assert time.process_time() - before < SLOWEST
    assert code in file.code.split(" or "), text
    assert "help: " in text or code.startswith("R")
    assert len(text) < 60_000 and all(len(line) < 6_000 for line in text.splitlines())


@pytest.mark.parametrize("file", [f for f in FILES if f.name in ALONE], ids=str)
def test_hostile_file_in_a_process_of_its_own(file: Hostile, tmp_path: Path) -> None:
    """With little memory, so that what fills it is found out too."""
    run = subprocess.run(
        [sys.executable, "-m", "tests.hostile.test_hostile", file.write(tmp_path)],
        capture_output=True,
        text=True,
        timeout=SLOWEST * 2,
        cwd=Path(__file__).parents[2],
        check=False,
    )
    assert run.returncode == 0, run.stderr[-2_000:]
    code, text, seconds = json.loads(run.stdout)
    assert code in file.code.split(" or "), text
    assert seconds < SLOWEST


def test_there_are_enough_of_them() -> None:
    assert len(FILES) >= 24 and len({f.name for f in FILES}) == len(FILES) and ALONE <= {f.name for f in FILES}


def test_a_choice_with_more_answers_than_atoms(tmp_path: Path) -> None:
    """Listing says that it is incomplete, and soon; a game goes on."""
    body = (
        "enum kind: "
        + ", ".join(f"k{i}" for i in range(60))
        + "\ncard thing: kind\ndeck things of thing\n  1 thing each\n"
    )
    body += "zone hand: bag of each player, seen by owner\nzone heap: pile, seen by all\n"
    play = (
        "play\n  each p: move 30 from things to p.hand\n  each p\n    p chooses cards: some of p.hand, possibly none\n"
    )
    play += "    move cards to heap\n  first of_all\n".replace("  first of_all\n", "")
    game = cambist.load(rules(tmp_path, body, play))
    match = game.start(players=2, seed=1)
    assert match.choice is not None
    before = time.process_time()
    options = match.choice.options()
    assert not options.complete and 0 < len(options) <= 4_096
    assert time.process_time() - before < 2
    source = cambist.Source(1)
    while match.choice is not None:
        match.answer(match.choice.sample(source))
    assert match.result is not None and time.process_time() - before < 4


@pytest.mark.parametrize("good", ["brackets", "blocks", "sheet", "digits", "name"])
def test_just_within_the_limits(good: str, tmp_path: Path) -> None:
    """What is refused one step further is allowed here."""
    if good == "brackets":
        path = rules(tmp_path, f"define deep = {'(' * 60}1{')' * 60}\n", "play\n  let x = deep\n")
    elif good == "blocks":
        lines = ["  " * (i + 1) + "if 1 = 1\n" for i in range(31)]
        path = rules(tmp_path, "", "play\n" + "".join(lines) + "  " * 32 + "nothing\n")
    elif good == "sheet":
        path = sheet(tmp_path, "sheet: 1\ncards:\n" + "  - {card: grain, count: 10000, number_on: 1}\n")
    elif good == "digits":
        path = rules(tmp_path, f"variable n: number = {'9' * 18}\n", "play\n  set n to 0 - n\n")
    else:
        path = rules(tmp_path, f"zone {'z' * 64}: row, seen by all\n")
    assert outcome(path)[0] == ""


def test_the_bare_frame_is_harmless(tmp_path: Path) -> None:
    assert HEAD and TAIL and outcome(rules(tmp_path, ""))[0] == ""


if __name__ == "__main__":
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    started = time.process_time()
    found_code, found_text = outcome(sys.argv[1])
    sys.stdout.write(json.dumps([found_code, found_text[:2_000], time.process_time() - started]))
