"""Recorded games: they come back exactly, a changed rule is named at the first choice it touches, damage is told."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

import cambist
from cambist.commands.replay import read_record
from cambist.interpreter import log
from cambist.interpreter.explore import bot_source, play_random
from cambist.interpreter.replay import Recorder, record_random, replay
from cambist.interpreter.strict_json import NotStrict, parse, structure
from cambist.problems import UserError
from cambist.schema_check import problems
from tests.cli.running import GAME, run, tender


@pytest.fixture
def rules(tmp_path: Path) -> str:
    return tender(tmp_path)


@pytest.fixture
def recorded(tmp_path: Path, rules: str) -> Path:
    path = tmp_path / "game.txt"
    assert run("record", rules, "--players", "3", "--seed", "9", "-o", str(path)).code == 0
    return path


# ---- round trips


@pytest.mark.parametrize("name", sorted(cambist.shipped()))
@pytest.mark.parametrize("seed", [0, 1])
def test_shipped_games_come_back_exactly(name: str, seed: int) -> None:
    game = cambist.load(name)
    machine = game.machine(game.players[seed % len(game.players)])
    recorder = Recorder(machine, seed, number=2)
    assert record_random(recorder, bot_source(seed, 2)) is None
    record = recorder.record(name)
    text = log.as_text(record)
    data, _ = log.read(text)
    assert problems("record", data) == [] and log.from_data(data) == record
    assert log.from_data(parse(json.dumps(log.as_data(record)))) == record
    replayed = replay(machine, record)
    assert replayed.difference is None and replayed.answers == record.answers and replayed.match is not None
    assert replayed.match.log_lines() == recorder.match.log_lines()
    assert replayed.match.result == recorder.match.result
    # the very game that a simulation of this seed plays as its number 2
    played = play_random(machine, seed, 2)
    assert recorder.match.result is not None and played.scores == recorder.match.result.scores


def test_the_text_is_readable(recorded: Path) -> None:
    lines = recorded.read_text().splitlines()
    assert lines[0] == "cambist record 1"
    assert "game: tender" in lines and "options: rounds=2, style=slow" in lines and "seats: p1, p2, p3" in lines
    assert any(line.startswith("chance: ") for line in lines)
    assert any(line.startswith("bidding/1 p2 ") for line in lines)
    assert lines[-1] == "end" and lines[-2].startswith("winners: ")


def test_equal_cards_are_told_apart_only_where_it_matters(recorded: Path) -> None:
    """The text `slip 1` means the first such card; another one is recorded with its number, so that nothing is lost."""
    lines = recorded.read_text().splitlines()
    exact = [line for line in lines if "  = [" in line]
    assert exact and len(exact) < len([line for line in lines if line.startswith("bidding/1 ")])


def test_replay_tells_the_game(recorded: Path) -> None:
    ran = run("replay", str(recorded))
    assert ran.code == 0 and "replayed exactly: 12 answers" in ran.out and "wins" in ran.out
    data = run("replay", str(recorded), "--json").data("replay")
    assert data["same"] and data["answers"] == data["of"] == 12 and data["result"]["winners"]


def test_replay_stops_where_it_is_told(recorded: Path) -> None:
    data = run("replay", str(recorded), "--to", "4", "--json").data("replay")
    assert data["answers"] == 4 and data["result"] is None and data["view"]["choice"]["name"] == "sale/1"
    assert run("replay", str(recorded), "--to", "0", "--json").data("replay")["answers"] == 0
    ran = run("replay", str(recorded), "--to", "99")
    assert ran.code == 2 and "only 12 answers" in ran.err


def test_a_view_shows_one_players_cards_only(recorded: Path) -> None:
    shown = run("replay", str(recorded), "--to", "1", "--view", "p2", "--json").data("replay")
    assert "cards" in shown["view"]["zones"]["p2.hand"] and "cards" not in shown["view"]["zones"]["p1.hand"]
    assert not any(line.startswith("box -> p1.hand: slip") for line in shown["log"])
    assert run("replay", str(recorded), "--to", "1", "--view", "2").out.count("hidden") >= 2
    assert run("replay", str(recorded), "--view", "nobody").code == 2


def test_the_json_form_is_read_too(tmp_path: Path, rules: str) -> None:
    path = tmp_path / "game.json"
    assert run("record", rules, "--json", "-o", str(path)).code == 0
    assert problems("record", json.loads(path.read_text())) == []
    assert run("replay", str(path)).code == 0
    assert run("record", rules, "--json").data("record") == json.loads(path.read_text())


def test_the_rules_are_found_beside_the_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tender(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert run("record", "tender.rules", "-o", "game.txt").code == 0
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert run("replay", "../game.txt").code == 0
    monkeypatch.chdir(tmp_path.parent)
    assert run("record", f"{tmp_path.name}/tender.rules", "-o", f"{tmp_path.name}/from_above.txt").code == 0
    monkeypatch.chdir(tmp_path)
    assert run("replay", "from_above.txt").code == 0


# ---- changed rules


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (("sell n in 1..3", "sell n in 1..2"), "it is refused: "),
        (("transfer 0.5 from", "transfer 1 from"), "fingerprint"),
        (("= 4 ", "= 5 "), "fingerprint"),
        (("bidding\n    each p: sale(p)", "each p: sale(p)\n    bidding"), "ask p1 `sale/1`, not `bidding/1`"),
        (("  6 slip 5\n", "  6 slip 5\n  6 slip 7\n"), "chance outcome"),
        (("  shuffle box\n", "  shuffle box\n  shuffle box\n"), "chance outcome"),
        (("  shuffle box\n", ""), "do not ask chance"),
        (("repeat rounds times", "repeat 1 times"), "the game is over"),
        (("repeat rounds times", "repeat 3 times"), "is asked next"),
        (("score p = p.purse", "score p = p.purse + 1"), "scores: "),
    ],
)
def test_the_first_difference_is_named(change: tuple[str, str], why: str, recorded: Path, tmp_path: Path) -> None:
    tender(tmp_path, change, ("everything where c is slip) = 18", "everything where c is slip) > 17"))
    ran = run("replay", str(recorded))
    assert ran.code == 1 and why in ran.err and "the rules have changed since it was recorded" in ran.err
    assert f" --> {recorded}:" in ran.err
    data = run("replay", str(recorded), "--json").data("replay")
    assert not data["same"] and data["difference"]["number"] >= 1 and why in data["difference"]["why"]


def test_the_difference_is_where_the_rules_part(recorded: Path, tmp_path: Path) -> None:
    """A sale pays more: the choice after the first sale sees another table, not an earlier one."""
    lines = recorded.read_text().splitlines()
    answers = [line for line in lines if "/1 p" in line]
    first_sale = next(number for number, line in enumerate(answers, 1) if ": sell" in line)
    tender(tmp_path, ("transfer 0.5 from", "transfer 1 from"))
    difference = run("replay", str(recorded), "--json").data("replay")["difference"]
    assert difference["number"] == first_sale + 1
    assert difference["recorded"] in answers[first_sale]


def test_the_rules_of_another_game(recorded: Path) -> None:
    ran = run("replay", str(recorded), "--rules", GAME)
    assert ran.code == 2 and "this is a game of `tender`" in ran.err


def test_a_game_that_fails_is_recorded_as_far_as_it_went(tmp_path: Path) -> None:
    path = tender(tmp_path, ("transfer 0.5 from till to p.purse", "transfer 3.5 from p.purse to till"))
    failing = str(tmp_path / "failing.txt")
    ran = run("record", path, "--seed", "1", "--option", "rounds=5", "-o", failing)
    assert ran.code == 1 and "fault[R0108]" in ran.err
    assert "fault: R0108 " in Path(failing).read_text()
    again = run("replay", failing)
    assert again.code == 0 and "then it fails: R0108 " in again.out
    assert run("replay", failing, "--json").data("replay")["fault"].startswith("R0108 ")
    tender(tmp_path)
    ran = run("replay", failing)
    assert ran.code == 1 and "error: choice " in ran.err


# ---- damage


def test_a_cut_record_is_refused_with_the_line(recorded: Path, tmp_path: Path) -> None:
    whole = recorded.read_bytes()
    cut = tmp_path / "cut.txt"
    for length in [*range(0, len(whole) - 1, 7), len(whole) - 1]:
        cut.write_bytes(whole[:length])
        with pytest.raises(UserError) as caught:
            read_record(cut)
        assert caught.value.code == 1 and ", line " in caught.value.what
    ran = run("replay", str(cut))
    assert ran.code == 1 and "cut off" in ran.err and "help:" in ran.err


def test_flipped_bits_are_found_or_harmless(recorded: Path, tmp_path: Path) -> None:
    """Never a traceback; and what replays must be the same game, since headers like the seed take no part in it."""
    whole, rng = recorded.read_bytes(), random.Random(1)
    result = run("replay", str(recorded)).out.splitlines()[-6:]
    changed = tmp_path / "changed.txt"
    for _ in range(60):
        damaged = bytearray(whole)
        damaged[rng.randrange(len(whole))] ^= 1 << rng.randrange(8)
        changed.write_bytes(bytes(damaged))
        ran = run("replay", str(changed))
        assert ran.code in (1, 2) or ran.out.splitlines()[-6:] == result


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("players: 3", "players: three", "'three' is not a whole number"),
        ("players: 3", "players: 2", "the seats do not fit 2 players"),
        ("players: 3", "players: 33", "maximum of 16"),
        ("seats: p1, p2, p3", "seats: p1, p2, p2", "the seats do not fit"),
        ("seats: p1, p2, p3", "seats: p1, p2, p 3", "does not match"),
        ("seed: 9", "seed: 9\nseed: 5", "`seed` stands twice"),
        ("seed: 9", "", "'seed' is a required property"),
        ("seed: 9", "speed: 8", "'speed' is nothing that a record says"),
        ("rounds=2", "rounds", "NAME=VALUE"),
        ("rounds=2", "rounds=77", "from 1 to 5"),
        ("chance: ", "chance: x ", "'x' is not a whole number"),
        ("chance: ", "chance: -1 ", "line 11: this is damaged"),
        ("\nend\n", "\nend\nend\n", "nothing should follow"),
        ("cambist record 1", "cambist record 2", "line 1: this is a record of another version"),
    ],
)
def test_damage_is_told_with_its_line(old: str, new: str, said: str, recorded: Path) -> None:
    text = recorded.read_text()
    assert old in text
    recorded.write_text(text.replace(old, new, 1))
    ran = run("replay", str(recorded))
    assert ran.code in (1, 2) and said in ran.err


def test_files_that_are_no_records(tmp_path: Path) -> None:
    path = tmp_path / "other"
    for data in (b"", b"\xff\xfe", b"\x00" * 10, b"{}", b"[1]", b'{"record": 1', b"{" * 5000, b"cambist record 1"):
        path.write_bytes(data)
        ran = run("replay", str(path))
        assert ran.code == 1 and "help:" in ran.err
    assert run("replay", str(tmp_path)).code == 2


# ---- strictness


@frozen
class Scalars:
    number: int
    text: str
    flag: bool
    several: tuple[int, ...] = ()


GOOD: dict[str, Any] = {"number": 1, "text": "a", "flag": True, "several": [1]}


@pytest.mark.parametrize("field", sorted(GOOD))
@pytest.mark.parametrize("value", [1, 0, True, False, 1.0, 1.9, "1", "no", None, [], [True], ["1"], [1.0], {}, "12"])
def test_nothing_is_bent_into_shape(field: str, value: Any) -> None:
    """Every scalar in every place: taken as it is, or refused."""
    data = {**GOOD, field: value}
    kinds: dict[str, type] = {"number": int, "text": str, "flag": bool, "several": list}
    if type(value) is kinds[field] and (type(value) is not list or all(type(v) is int for v in value)):
        found = getattr(structure(data, Scalars), field)
        assert found == (tuple(value) if type(value) is list else value)
    else:
        with pytest.raises(NotStrict, match=field):
            structure(data, Scalars)


def test_unknown_and_missing_keys_are_refused() -> None:
    with pytest.raises(NotStrict, match="there is no 'more'"):
        structure({**GOOD, "more": 1}, Scalars)
    with pytest.raises(NotStrict, match="it is missing"):
        structure({"number": 1}, Scalars)


@pytest.mark.parametrize(
    "text", ["1.0", "1e3", "NaN", "Infinity", '{"a": 1, "a": 2}', "9" * 40, "[" * 100_000, "[" * 80 + "]" * 80, "", "{"]
)
def test_json_that_is_not_plain(text: str) -> None:
    with pytest.raises(NotStrict):
        parse(text)
