"""`pytest --cambist`: rulesets are collected as tests, and a failure reads like a message about the rules."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.cli.running import tender

ROOT = Path(__file__).parents[2]


def pytest_on(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """pytest as somebody would run it beside their own rules, without this project's settings."""
    (folder / "pytest.ini").write_text("[pytest]\n")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", *args]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_one_test_for_each(tmp_path: Path) -> None:
    tender(tmp_path)
    ran = pytest_on(tmp_path, "--cambist", ".", "-v")
    assert ran.returncode == 0, ran.stdout
    names = [line.partition(" PASSED")[0] for line in ran.stdout.splitlines() if " PASSED" in line]
    assert names[0] == "tender.rules::check" and names[-1] == "tender.rules::random games"
    assert sum("::example " in name for name in names) == 1 and "tender.rules::invariant slips" in names


def test_nothing_is_collected_unasked(tmp_path: Path) -> None:
    tender(tmp_path)
    assert pytest_on(tmp_path, ".").returncode == 5  # pytest's own code for no tests


def test_no_games_prove_nothing(tmp_path: Path) -> None:
    tender(tmp_path)
    ran = pytest_on(tmp_path, "--cambist", ".", "--cambist-games", "0")
    assert ran.returncode == 4 and "a whole number from 1 on, not 0" in ran.stderr


def test_below_any_folder_and_by_name(tmp_path: Path) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    tender(tmp_path / "deep" / "er")
    ran = pytest_on(tmp_path, "--cambist", ".", "-k", "slips", "-v")
    assert ran.returncode == 0 and "deep/er/tender.rules::invariant slips PASSED" in ran.stdout
    assert "1 passed" in ran.stdout


def test_libraries_too(tmp_path: Path) -> None:
    source = (ROOT / "dsl" / "library" / "deck.rules").read_text("utf-8")
    (tmp_path / "deck.rules").write_text(source, "utf-8")
    ran = pytest_on(tmp_path, "--cambist", "deck.rules", "-v")
    assert ran.returncode == 0 and "deck.rules::invariant nothing_lost PASSED" in ran.stdout


def test_a_broken_invariant_is_shown_in_the_rules(tmp_path: Path) -> None:
    path = tender(tmp_path, ("everything where c is slip) = 18", "box where c is slip) > 8"))
    with Path(path).open("a") as file:
        file.write('invariant bids_down after bidding: every p where p.bid is empty  cites R"Bids"\n')
    ran = pytest_on(tmp_path, "--cambist", ".")
    assert ran.returncode == 1 and "2 failed" in ran.stdout
    assert "fault[R0115]: the invariant `slips` does not hold" in ran.stdout
    assert "fault[R0115]: the invariant `bids_down` does not hold after `bidding`" in ran.stdout
    assert "--> tender.rules:" in ran.stdout and "in game 0, seed 0, 2 players" in ran.stdout
    assert "Traceback" not in ran.stdout and "pytest_plugin" not in ran.stdout


def test_a_broken_example_is_shown_in_the_rules(tmp_path: Path) -> None:
    path = tender(tmp_path)
    with Path(path).open("a") as file:
        file.write('example "rich"    cites R"Sale"\n  given player p; p.purse = 3\n  then p.purse = 5\n')
    lines = Path(path).read_text("utf-8").splitlines()
    ran = pytest_on(tmp_path, "--cambist", ".")
    assert ran.returncode == 1 and "1 failed" in ran.stdout
    assert f"tender.rules:{len(lines)}: `p.purse = 5` does not hold" in ran.stdout and "Traceback" not in ran.stdout


def test_a_fault_of_the_rules_is_one_failure(tmp_path: Path) -> None:
    tender(tmp_path, ("transfer 0.5 from till to p.purse", "transfer 1.5 from p.purse to till"))
    ran = pytest_on(tmp_path, "--cambist", ".", "--cambist-games", "20", "-k", "random")
    assert ran.returncode == 1 and "fault[R0108]" in ran.stdout and "tender.rules::random games" in ran.stdout


def test_what_cannot_be_read_is_one_failure(tmp_path: Path) -> None:
    tender(tmp_path, ("transfer 0.5", "transfr 0.5"))
    (tmp_path / "bytes.rules").write_bytes(b"\xff\xfe\x00")
    ran = pytest_on(tmp_path, "--cambist", ".")
    assert ran.returncode == 1 and "2 failed" in ran.stdout and "error[E" in ran.stdout
    assert "did you mean `transfer`?" in ran.stdout and "Traceback" not in ran.stdout


def test_the_shipped_games_pass() -> None:
    """A few of each are enough here; the games' own tests play them at length."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        "-q",
        "--cambist",
        "--cambist-games",
        "1",
        "games/",
    ]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout[-3000:]
    assert " passed" in ran.stdout and " failed" not in ran.stdout
