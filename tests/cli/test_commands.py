"""Every command: what it tells people and programs, and what it says and returns when something is wrong."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cambist.cli import COMMANDS
from cambist.commands import games as games_command
from tests.cli.running import COMMAND, GAME, process, run, tender

BROKEN = ("move 4 from box to p.hand", "move 4 from bax to p.hand")


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> str:
    return tender(tmp_path_factory.mktemp("rules"))


# ---- help


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str) -> None:
    ran = run(command, "--help")
    assert ran.code == 0 and "Usage: cambist" in ran.out and "--help" in ran.out


def test_help_loads_neither_parser_nor_interpreter() -> None:
    """Its speed is measured by what it does not load: a clock would depend on the machine."""
    code = (
        "import sys; from cambist.cli import cli; cli.main(['--help'], standalone_mode=False);"
        "print([m for m in ('lark', 'rich', 'cambist.interpreter.machine', 'jsonschema') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines()[-1] == "[]"
    assert all(f"  {command} " in done.stdout for command in COMMANDS)


def test_help_comes_at_once() -> None:
    """Within 0.3 s of CPU, Python's own start included; the quickest of three, since others use the machine too."""

    def seconds() -> float:
        before = os.times()
        subprocess.run([sys.executable, "-m", "cambist", "--help"], stdout=subprocess.DEVNULL, check=True)
        after = os.times()
        return after.children_user + after.children_system - before.children_user - before.children_system

    assert min(seconds() for _ in range(3)) < 0.3


def test_without_a_command_the_help_is_shown() -> None:
    ran = run()
    assert ran.code == 2 and "Commands:" in ran.err


# ---- games


def test_games_lists_what_is_shipped() -> None:
    listed = run("games", "--json").data("games")
    assert GAME in [game["name"] for game in listed]
    shown = run("games")
    assert shown.code == 0 and all(game["title"] in shown.out for game in listed)


def test_one_game_with_its_options(rules: str) -> None:
    data = run("games", rules, "--json").data("games")
    assert data["players"] == [2, 3, 4]
    assert data["options"] == [
        {"name": "rounds", "meaning": "", "default": 2, "least": 1, "most": 5, "conditions": [], "because": ['R"End"']},
        {
            "name": "style",
            "meaning": "",
            "default": "slow",
            "values": ["slow", "fast"],
            "conditions": [],
            "because": ['R"End"'],
        },
    ]
    assert "slow, fast; usually slow" in run("games", rules).out


# ---- sources

HEADINGS = {
    "money": 10,
    "buy_low_sell_high": 14,
    "palmyra": 10,
    "for_ex": 15,
    "venture": 13,
    "riche_ou_pauvre": 7,
    "die_bosse": 13,
    "dividends": 18,
}


@pytest.mark.parametrize("game", HEADINGS)
def test_every_section_with_a_rule_is_cited(game: str) -> None:
    data = run("sources", game, "--json").data("sources")
    assert data["game"] == game and data["uncited"] == []
    assert data["sections"] == len(data["headings"]) >= HEADINGS[game]
    assert data["cited"] == sum(bool(h["rules"]) for h in data["headings"])
    assert all(bool(h["rules"]) != bool(h["no_rule"]) for h in data["headings"])
    assert data["assumptions"] and all(a["because"] for a in data["assumptions"])


def test_a_variant_cites_its_own_rulebook_for_what_it_inherits() -> None:
    data = run("sources", "palmyra", "--json").data("sources")
    (end,) = [h for h in data["headings"] if h["title"] == "Fin de la troisième année"]
    assert {"phase close_year", "score"} <= {rule["rule"] for rule in end["rules"]}
    assert {h["source"] for h in data["headings"]} == {"P"} and data["elsewhere"] == []
    assert any(rule["file"].endswith("buy_low_sell_high.rules") for rule in end["rules"])


def test_what_sheets_assume_is_in_the_register() -> None:
    data = run("sources", "venture", "--json").data("sources")
    reasons = {a["rule"]: a["because"] for a in data["assumptions"]}
    assert reasons["deck reserve"].startswith("41 of 54 cards: ")
    data = run("sources", "for_ex", "--json").data("sources")
    assert any(a["file"].endswith("start_rates.yaml") and a["rule"] == "track rate" for a in data["assumptions"])


def test_sources_for_people() -> None:
    shown = run("sources", "palmyra")
    assert shown.code == 0 and "16 sections, 15 cited, 1 without a rule" in shown.out
    assert "Conseils: no rule, advice" in shown.out and "2 read otherwise than printed" in shown.out


def test_a_section_that_nothing_cites_is_named(tmp_path: Path) -> None:
    path = tmp_path / "small.rules"
    path.write_text(
        'game small "Small"\n  players 2..2\n  source R "r.txt" language en\n    section "Play"\n    section "End"\n'
        'play cites R"Play"\n  nothing\nscore p = 0\nwinner most score, ties shared\n'
    )
    data = run("sources", str(path), "--json").data("sources")
    assert data["uncited"] == ["End"] and data["cited"] == 1
    assert "nothing cites: End" in run("sources", str(path)).out


def test_a_ruleset_is_found_by_its_own_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "any_file.rules").write_text('variant thrifty of money "Thrifty"\nset deals to 1\n')
    monkeypatch.chdir(tmp_path)
    assert run("games", "thrifty", "--json").data("games")["title"] == "Thrifty"
    assert run("simulate", "thrifty", "--players", "3", "--games", "2", "--seed", "1").code == 0


# ---- check


def test_check_of_good_rules(rules: str) -> None:
    ran = run("check", rules)
    assert ran.code == 0 and "no problems" in ran.out
    assert run("check", rules, "--json").data("check")["errors"] == 0


def test_check_shows_place_and_remedy(tmp_path: Path) -> None:
    path = tender(tmp_path, BROKEN)
    ran = run("check", path)
    assert ran.code == 1 and "^^^" in ran.out and "help: " in ran.out and "1 problem" in ran.out
    data = run("check", path, "--json").data("check")
    assert data["errors"] == 1 and data["diagnostics"][0]["code"] == "E0101"


def test_check_of_several_files(rules: str, tmp_path: Path) -> None:
    path = tender(tmp_path, BROKEN)
    ran = run("check", rules, path, "--json")
    assert ran.code == 1 and [one["errors"] for one in ran.data("check")] == [0, 1]


def test_strict_asks_for_citations(tmp_path: Path) -> None:
    path = tender(tmp_path, ('cites R"Bids"', ""))
    assert run("check", path).code == 0
    assert run("check", path, "--strict").code == 1


# ---- explain


def test_explain_shows_wrong_and_right() -> None:
    ran = run("explain", "e0101")
    assert ran.code == 0 and "Wrong:" in ran.out and "Right:" in ran.out
    data = run("explain", "E0101", "--json").data("explain")
    assert data["wrong"] and data["right"]


def test_explain_knows_faults_and_lists_all() -> None:
    assert "invariant" in run("explain", "R0115").out
    codes = [one["code"] for one in run("explain", "--json").data("explain")]
    assert {"E0101", "W0501", "R0115"} <= set(codes) and codes == sorted(codes)
    assert all(code in run("explain").out for code in codes)


def test_explain_of_an_unknown_code() -> None:
    ran = run("explain", "E1010")
    assert ran.code == 2 and "there is no code `E1010`" in ran.err and "help:" in ran.err


# ---- test


def test_examples_and_invariants(rules: str) -> None:
    ran = run("test", rules, "--games", "2")
    assert ran.code == 0 and "1 examples pass, 1 of 1 invariants hold in 6 random games" in ran.out
    data = run("test", rules, "--json", "--games", "1").data("test")
    assert (data["game"], data["examples"], data["inherited"], data["passed"]) == ("tender", 1, 0, 1)
    assert data["failed"] == []


def test_examples_are_tried_with_an_option(rules: str) -> None:
    assert run("test", rules, "--option", "rounds=1", "--games", "1").code == 0
    refused = run("test", rules, "--option", "rounds=many")
    assert refused.code == 2 and "rounds" in refused.err


def test_a_broken_example_is_named_with_its_place(tmp_path: Path) -> None:
    path = tender(tmp_path, ("transfer 0.5 from", "transfer 1 from"))
    ran = run("test", path, "--json", "--games", "1")
    (failed,) = ran.data("test")["failed"]
    assert ran.code == 1 and failed["example"] == "a sale brings half a crown a point"
    assert failed["line"] > 40 and failed["file"].endswith("tender.rules") and "2.5" in failed["reason"]


def test_a_broken_invariant_is_named(tmp_path: Path) -> None:
    path = tender(tmp_path, ("everything where c is slip) = 18", "box where c is slip) > 8"))
    ran = run("test", path, path, "--json")
    first, second = ran.data("test")
    assert ran.code == 1 and first == second
    assert [one["example"] for one in first["failed"]] == ["invariant slips"]
    assert "seed 0" in first["failed"][0]["reason"] and first["passed"] == 1
    assert "FAILED invariant slips" in run("test", path).out


# ---- what is wrong, and the exit code


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["game"], 2, "did you mean `games`?"),
        (["games", "mony"], 2, "did you mean `money`?"),
        (["check", "mony"], 2, "did you mean `money`?"),
        (["check"], 2, "Missing argument"),
        (["check", "no_such.rules"], 2, "does not exist"),
        (["play"], 2, "cambist games"),
        (["play", "{rules}", "--players", "9"], 2, "2 to 4 players"),
        (["play", "{rules}", "--players", "0"], 2, "2 to 4 players"),
        (["play", "{rules}", "--seats", "you,alien"], 2, "`alien` cannot sit"),
        (["play", "{rules}", "--seats", "you,you", "--players", "3"], 2, "leave one of them out"),
        (["play", "{rules}", "--seed", "x"], 2, "--help"),
        (["play", "{rules}", "--save", "no/such/folder/x"], 2, "no folder"),
        (["play", "--load", "no_such_save"], 2, "no file"),
        (["play", "--load", "{rules}"], 1, "damaged or no save"),
        (["play", "--load", "x", "--seed", "3"], 2, "fixed by the saved game"),
        (["simulate", "{rules}", "--option", "rounds=9"], 2, "from 1 to 5"),
        (["simulate", "{rules}", "--option", "style=medium"], 2, "one of slow, fast"),
        (["simulate", "{rules}", "--option", "rond=9"], 2, "its options: rounds, style"),
        (["simulate", "{rules}", "--option", "rounds"], 2, "NAME=VALUE"),
        (["simulate", "{rules}", "--option", "rounds=1", "--option", "rounds=2"], 2, "set twice"),
        (["simulate", "{rules}", "--games", "0"], 2, "--help"),
        (["record", "{rules}", "-o", "no/such/folder/x"], 2, "there is no folder"),
        (["replay", "no_such_record"], 2, "no file"),
        (["replay", "{rules}"], 1, "line 1: this is not a record"),
    ],
)
def test_wrong_usage(args: list[str], code: int, said: str, rules: str) -> None:
    ran = run(*(rules if arg == "{rules}" else arg for arg in args))
    assert ran.code == code
    assert said in ran.out + ran.err
    assert ("help:" in ran.err or args[0] == "check") and len(ran.err) < 800


def test_a_fault_of_cambist_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise KeyError("surprise")

    monkeypatch.setattr(games_command, "every_game", fail)
    ran = run("games")
    assert ran.code == 70 and "please report it" in ran.err and "KeyError" in ran.err and "--debug" in ran.err


def test_debug_shows_where(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from cambist.cli import cli

    def fail(*_: object) -> None:
        raise KeyError("surprise")

    monkeypatch.setattr(games_command, "every_game", fail)
    assert cli.main(["--debug", "games"], standalone_mode=False) == 70
    assert "Traceback" in capsys.readouterr().err


def test_interruption(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(games_command, "every_game", interrupt)
    ran = run("games")
    assert ran.code == 130 and "interrupted" in ran.err


def test_a_reader_who_goes_away() -> None:
    done = subprocess.Popen([*COMMAND, "explain"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert done.stdout is not None and done.stderr is not None
    done.stdout.close()
    assert done.stderr.read() == b""
    assert done.wait(60) == 141


def test_the_command_as_a_process(tmp_path: Path) -> None:
    tender(tmp_path, BROKEN)
    ran = process("check", "tender.rules", cwd=tmp_path)
    assert ran.code == 1 and "--> tender.rules:" in ran.out
    assert process("--version", cwd=tmp_path).out.startswith("cambist, version")


def test_a_name_means_the_file_that_is_called_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many copies lie beside it; without it, nobody guesses which copy is meant."""
    monkeypatch.chdir(tmp_path)
    text = Path(tender(tmp_path)).read_text("utf-8")
    Path("a_backup.rules").write_text(text, "utf-8")
    Path("old").mkdir()
    Path("old", "tender.rules").write_text(text, "utf-8")
    assert run("games", "tender", "--json").data("games")["file"] == "tender.rules"
    Path("tender.rules").unlink()
    assert run("games", "tender", "--json").data("games")["file"] == "old/tender.rules"
    Path("old", "tender.rules").rename("b_backup.rules")
    for command in (("games", "tender"), ("simulate", "tender"), ("check", "tender")):
        ran = run(*command)
        told = ran.out + ran.err
        assert ran.code == 2 and "2 files here say that they are `tender`" in told
        assert "give the path of one of them: `a_backup.rules`, `b_backup.rules`" in told
    Path("b_backup.rules").unlink()
    assert run("games", "tender", "--json").data("games")["file"] == "a_backup.rules"
