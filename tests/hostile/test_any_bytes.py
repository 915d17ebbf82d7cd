"""Files of any bytes, and good ones with bytes flipped, cut out, put in or doubled: rules, saved games, records.

Whatever is in them, there is a message with a remedy, or a game that goes on as the undamaged one would: never a
traceback, a hang or another game.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from cambist.problems import FOUND, USAGE
from tests.cli.running import Ran, run, tender

CORPUS = sorted((Path(__file__).parent / "corpus").iterdir())
AGREED = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
Damage = Callable[[bytes], bytes]


@st.composite
def damages(draw: st.DrawFn) -> Damage:
    """One to three places where something happens to a file."""
    places = draw(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 40), st.integers(0, 3)), min_size=1, max_size=3))
    come = draw(
        st.binary(max_size=8) | st.sampled_from([b"9" * 30, b"null", b"-1", b"\r\n", b'"', b"[[[[", b"\xef\xbb\xbf"])
    )

    def damage(data: bytes) -> bytes:
        for where, length, what in places:
            at = int(where * len(data))
            middle = data[at : at + length]
            changed = (come, middle + come + middle, b"", bytes(byte ^ 1 for byte in middle))[what]
            data = data[:at] + changed + data[at + length :]
        return data

    return damage


def told(ran: Ran) -> bool:
    """Whether it was refused in words."""
    return ran.code in (FOUND, USAGE) and bool(ran.err or ran.out)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A small ruleset, a game of it saved half-way and one recorded whole."""
    path = tmp_path_factory.mktemp("bytes")
    rules = tender(path)
    save, record = str(path / "half.json"), str(path / "whole.game")
    assert run("play", rules, "--players", "2", "--seed", "3", "--save", save, input="1 done\nquit\n").code == 0
    assert run("record", rules, "--players", "2", "--seed", "3", "-o", record).code == 0
    yield path


@AGREED
@given(st.binary(max_size=200))
@example(b"")
@example(b"\xff\xfeg\x00a\x00m\x00e\x00")
@example(b"\x00" * 50)
@example("game café".encode("latin-1"))
def test_any_bytes(folder: Path, data: bytes) -> None:
    path = folder / "any"
    path.write_bytes(data)
    for words in (("check",), ("test",), ("replay",), ("play", "--load")):
        assert told(run(*words, str(path), input="quit\n"))


@AGREED
@given(damages())
def test_damaged_rules(folder: Path, damage: Damage) -> None:
    path = folder / "damaged.rules"
    path.write_bytes(damage((folder / "tender.rules").read_bytes()))
    ran = run("check", str(path))
    assert ran.code == 0 or told(ran)


@AGREED
@given(damages())
def test_damaged_saves(folder: Path, damage: Damage) -> None:
    good = (folder / "half.json").read_bytes()
    path = folder / "damaged.json"
    path.write_bytes(damage(good))
    ran = run("play", str(folder / "tender.rules"), "--load", str(path), input="quit\n")
    if ran.code == 0:  # then it is the very same game, apart from what only names it
        one, two = (json.loads(data)["match"] for data in (good, path.read_bytes()))
        assert one["history"] == two["history"]
    else:
        assert told(ran)


@AGREED
@given(damages())
def test_damaged_records(folder: Path, damage: Damage) -> None:
    path = folder / "damaged.game"
    path.write_bytes(damage((folder / "whole.game").read_bytes()))
    ran = run("replay", str(path))
    if ran.code == 0:  # headers that take no part in the game may differ
        assert ran.out.splitlines()[-6:] == run("replay", str(folder / "whole.game")).out.splitlines()[-6:]
    else:
        assert told(ran)


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.name)
def test_what_was_found_before(path: Path) -> None:
    """Files that once were told badly, or that other parsers stumble over; each is refused by all that reads files."""
    for words in (("check",), ("replay",), ("play", "--load")):
        assert told(run(*words, str(path), input="quit\n"))
