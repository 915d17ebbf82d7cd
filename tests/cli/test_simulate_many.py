"""Games by the thousand: the same bytes whoever plays them, nothing lost with a process, a stopped run goes on."""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import signal
import subprocess
import threading
import time
import zlib
from collections.abc import Iterator
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import attrs
import polars as pl
import pytest

import cambist
from cambist.problems import UserError
from cambist.simulation import cluster
from cambist.simulation.crew import NAME, PATIENCE, played_by_processes, uninterrupted
from cambist.simulation.progress import pace
from cambist.simulation.unfinished import missing
from cambist.simulation.work import Cell, Done, Mismatch, played_here, tasks, unpacked
from tests.cli.running import COMMAND, Ran, run, tender

CLOCK = ("seconds", "games_per_s", "decisions_per_s")
GAMES = 100


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> str:
    return tender(tmp_path_factory.mktemp("rules"))


@pytest.fixture(scope="module")
def cell(rules: str) -> Cell:
    return Cell(cambist.load(rules).machine(3), seed=4, check=False)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A cluster on this machine: a scheduler and two workers, processes of their own."""
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as local:
        yield local.scheduler_address


def by_number(done: list[Done]) -> list[tuple[int, Any]]:
    return sorted((d.task.first + k, game) for d in done for k, game in enumerate(d.games))


def crew() -> list[int]:
    return [process.pid for process in active_children() if process.name == NAME and process.pid is not None]


def plain(ran: Ran) -> Any:
    data = ran.data("simulate")
    return {key: value for key, value in data.items() if key not in CLOCK}


# ---- the same, whoever plays


def test_one_process_two_processes_and_a_cluster_give_the_same_bytes(rules: str, address: str, tmp_path: Path) -> None:
    told, written = [], []
    for name, how in {"one": (), "two": ("--jobs", "2"), "cluster": ("--on", address)}.items():
        out = tmp_path / f"{name}.parquet"
        args = (rules, "--games", "130", "--seed", "4", "--players", "2..3", "--option", "style=slow,fast")
        told.append(plain(run("simulate", *args, "--json", "--out", str(out), *how)))
        written.append(out.read_bytes())
    assert told[0] == told[1] == told[2] and len(told[0]["cells"]) == 4
    assert written[0] == written[1] == written[2]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cluster.parquet", "one.parquet", "two.parquet"]


def test_a_row_tells_of_a_game(tmp_path: Path) -> None:
    rules = tender(tmp_path, ("    keep:\n", "    keep:\n      mark kept\n"))
    out = tmp_path / "games.parquet"
    data = plain(
        run("simulate", rules, "--players", "2", "--games", "40", "--option", "style=fast", "--json", "--out", str(out))
    )
    frame = pl.read_parquet(out)
    named = "game players option_rounds option_style seed number decisions scores winners seat ended_by"
    assert frame.columns == [*named.split(), "limit_too_fast", "mark_kept"]
    assert frame["number"].to_list() == list(range(40)) and frame["decisions"].sum() == data["decisions"]
    assert frame["option_style"].unique().to_list() == ["fast"] and frame["limit_too_fast"].sum() == 40
    assert 0 < frame["mark_kept"].sum() < 160
    first = frame["scores"].list.get(0)
    assert str(first.sum()) in (data["total_scores"][0], data["total_scores"][0] + ".0")  # exact: halves of a crown
    alone = frame.filter(pl.col("winners").list.len() == 1)
    assert alone["seat"].to_list() == alone["winners"].list.first().to_list()
    assert frame.filter(pl.col("winners").list.len() > 1)["seat"].null_count() == 40 - len(alone)


def test_a_game_that_fails_has_a_row(tmp_path: Path) -> None:
    path = tender(tmp_path, ("transfer 0.5 from till to p.purse", "transfer 1.5 from p.purse to till"))
    out = tmp_path / "games.parquet"
    ran = run("simulate", path, "--players", "2", "--games", "20", "--option", "rounds=5", "--out", str(out), "--json")
    frame = pl.read_parquet(out)
    failed = frame.filter(pl.col("ended_by") == "fault R0108")
    assert ran.code == 1 and len(failed) == ran.data("simulate")["errors"] > 0
    assert len(frame) == 20 and failed["scores"].null_count() == len(failed)
    assert "fault[R0108]" in ran.err and f"--game {failed['number'].to_list()[0]}" in ran.err


def test_a_sweep_is_a_table(rules: str) -> None:
    ran = run("simulate", rules, "--games", "4", "--players", "2,4", "--option", "rounds=1..3")
    assert ran.code == 0 and "6 cells, 24 games" in ran.out and "mean score by seat" in ran.out
    assert [line.split("│")[0].strip() for line in ran.out.splitlines() if "│" in line] == ["2"] * 3 + ["4"] * 3


# ---- whoever dies


def test_a_process_that_is_killed_is_replaced_and_nothing_is_lost_or_counted_twice(cell: Cell) -> None:
    todo = [[range(GAMES)]]
    expected = by_number(list(played_here([cell], tasks(todo))))
    found, killed = [], 0
    for done in played_by_processes([cell.packed("reference")], tasks(todo, 5), 2, unpacked):
        found.append(done)
        if len(found) in (1, 4):
            os.kill(crew()[0], signal.SIGKILL)
            killed += 1
    assert killed == 2 and by_number(found) == expected and crew() == []


def test_games_that_end_every_process_are_given_up(cell: Cell) -> None:
    deadly = attrs.evolve(cell.packed("reference"), program=zlib.compress(pickle.dumps(Deadly())))
    with pytest.raises(UserError) as caught:
        list(played_by_processes([deadly], tasks([[range(40)]]), 1, unpacked))
    assert f"games 0 to 19 ended the process that played them {PATIENCE} times" in caught.value.what
    assert crew() == []


class Deadly:
    def __reduce__(self) -> tuple[Any, ...]:
        return os._exit, (9,)


def test_a_worker_of_a_cluster_that_is_killed_costs_nothing(cell: Cell, address: str) -> None:
    from distributed import Client

    todo = [[range(400)]]
    expected = by_number(list(played_here([cell], tasks(todo))))
    found = []
    for done in cluster.played_by_cluster([cell.packed("reference")], tasks(todo, 10), address):
        found.append(done)
        if len(found) == 3:
            with Client(address, set_as_default=False) as client:
                victim = sorted(client.run(os.getpid).values())[0]
            os.kill(victim, signal.SIGKILL)
    assert by_number(found) == expected


@pytest.mark.parametrize("threads", [0, 2])
def test_an_interruption_while_a_process_begins_is_heard_afterwards(threads: int) -> None:
    heard, over = [], threading.Event()
    others = [threading.Thread(target=over.wait) for _ in range(threads)]  # as one that draws progress
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever began these tests may have it ignored
    try:
        for other in others:
            other.start()
        with pytest.raises(KeyboardInterrupt):
            with uninterrupted():
                os.kill(os.getpid(), signal.SIGINT)
                heard.append("begun")
            heard.append("went on")
        assert heard == ["begun"]
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
        over.set()


def test_a_cluster_that_is_gone_is_told(cell: Cell) -> None:
    from distributed import LocalCluster

    with LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as local:
        played = cluster.played_by_cluster(
            [cell.packed("reference")], tasks([[range(4000)]], 10), local.scheduler_address
        )
        next(played)
        local.close()
        with pytest.raises(UserError, match="is gone") as told:
            list(played)
    assert "--resume goes on" in told.value.remedy


def test_a_cluster_that_loses_all_workers_says_so_and_goes_on_with_others(
    cell: Cell, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from distributed import LocalCluster

    monkeypatch.setattr(cluster, "SECONDS", 0.3)
    with LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as local:
        monkeypatch.setattr(cluster, "_connected", lambda address: local.get_client())
        played = cluster.played_by_cluster([cell.packed("reference")], tasks([[range(200)]], 10), "here")
        found = [next(played)]
        local.scale(0)
        told, until = "", time.monotonic() + 30
        while "has no worker any more" not in told and time.monotonic() < until:
            time.sleep(0.1)
            told += capsys.readouterr().err
        assert "here has no worker any more; it goes on when one comes back" in told
        local.scale(1)
        found += played
    assert by_number(found) == by_number(list(played_here([cell], tasks([[range(200)]]))))


def test_rules_travel_as_they_are(cell: Cell) -> None:
    parcel = cell.packed("compiled")
    again = unpacked(pickle.loads(pickle.dumps(parcel)))
    assert again.program == cell.program and again.game(7) == cell.game(7)
    with pytest.raises(Mismatch, match="not those that were sent"):
        unpacked(attrs.evolve(parcel, digest="0"))
    with pytest.raises(Mismatch, match=r"0\.0\.1 asks"):
        unpacked(attrs.evolve(parcel, version="0.0.1"))


# ---- stopped, and on again


def as_in_a_terminal() -> None:
    """Ctrl-C stops a process, even if these tests were begun by one that it does not stop."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_keeps_what_is_finished_and_resume_goes_on(jobs: str, rules: str, tmp_path: Path) -> None:
    args = ("simulate", rules, "--games", "2000", "--seed", "2", "--check", "--jobs", jobs)
    stopped, whole = tmp_path / "stopped.parquet", tmp_path / "whole.parquet"
    kept = tmp_path / "stopped.parquet.unfinished"
    for _ in range(9):  # on a busy machine it may be done before we come to stop it
        process = subprocess.Popen([*COMMAND, *args, "--out", str(stopped)], stderr=subprocess.PIPE,
                                   stdout=subprocess.PIPE, text=True, start_new_session=True,
                                   preexec_fn=as_in_a_terminal)  # fmt: skip
        while process.poll() is None and not (kept.exists() and kept.read_bytes().count(b"\n") > 2):
            time.sleep(0.005)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        out, err = process.communicate(timeout=60)
        if process.returncode != 0:
            break
        stopped.unlink()
    assert process.returncode == 130 and "Traceback" not in err
    assert "of 2,000 games: kept in " in err and "--resume goes on" in err and "mean score" in out
    assert kept.exists() and not stopped.exists()
    refused = run(*args, "--out", str(stopped))
    assert refused.code == 2 and "a stopped run has left" in refused.err and "--resume" in refused.err
    with kept.open("a") as file:
        file.write("00000000 [0,0,[[[1")  # cut off in the middle of a line
    resumed = run(*args, "--out", str(stopped), "--resume", "--json")
    uninterrupted = run(*args[:-1], "1", "--out", str(whole), "--json")
    assert plain(resumed) == plain(uninterrupted)
    assert stopped.read_bytes() == whole.read_bytes() and not kept.exists()


def test_more_games_can_be_asked_for_when_a_run_goes_on(rules: str, tmp_path: Path) -> None:
    out, kept = tmp_path / "games.parquet", tmp_path / "games.parquet.unfinished"
    left_by(rules, out, kept)
    ran = run("simulate", rules, "--games", "90", "--out", str(out), "--resume", "--json")
    assert ran.data("simulate")["games"] == 90 and pl.read_parquet(out)["number"].to_list() == list(range(90))


def test_fewer_games_than_were_played_would_lose_some(rules: str, tmp_path: Path) -> None:
    out, kept = tmp_path / "games.parquet", tmp_path / "games.parquet.unfinished"
    left_by(rules, out, kept)
    before = kept.read_bytes()
    ran = run("simulate", rules, "--games", "40", "--out", str(out), "--resume")
    assert ran.code == 2 and "has played 60 games" in ran.err and "--games 60 or more" in ran.err
    assert kept.read_bytes() == before and not out.exists()


def left_by(rules: str, out: Path, kept: Path) -> None:
    """What a run of the first 60 games leaves when it is stopped."""
    from cambist.simulation.unfinished import begin

    cell = Cell(cambist.load(rules).machine(4), seed=0, check=False)
    file = begin(kept, [cell])
    for done in played_here([cell], tasks([[range(60)]])):
        file.keep(done)
    file.close()


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda text: "", "line 1 is damaged"),
        (lambda text: text.replace('"seed": 0', '"seed": 1'), "another seed"),
        (lambda text: text.replace('"check": false', '"check": true'), "another use of --check"),
        (lambda text: text.replace('"rounds": 2', '"rounds": 1'), "other players or options"),
        (lambda text: text.replace("[[4, {", "[[3, {"), "other players or options"),
        (lambda text: "{}\n", "line 1 is damaged"),
        (lambda text: text.replace('"played to', '"played  to', 1), "line 2 is damaged"),
        (lambda text: text.replace("]]]\n", "]]]\nnonsense\n", 1), "line 3 is damaged"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_trusted_is_refused(damage: Any, words: str, rules: str, tmp_path: Path) -> None:
    out, kept = tmp_path / "games.parquet", tmp_path / "games.parquet.unfinished"
    left_by(rules, out, kept)
    text = damage(kept.read_text("utf-8"))
    kept.write_text(text, "utf-8")
    ran = run("simulate", rules, "--games", "60", "--out", str(out), "--resume")
    assert ran.code in (1, 2) and words in ran.err and "remove" in ran.err
    assert kept.read_text("utf-8") == text and not out.exists()


def test_changed_rules_are_another_run(tmp_path: Path) -> None:
    out, kept = tmp_path / "games.parquet", tmp_path / "games.parquet.unfinished"
    left_by(tender(tmp_path), out, kept)
    ran = run("simulate", tender(tmp_path, ("= 4  ", "= 5  ")), "--games", "60", "--out", str(out), "--resume")
    assert ran.code == 2 and "the rules have changed since" in ran.err


def test_what_is_missing() -> None:
    assert missing({}, 5) == [range(5)] and missing(dict.fromkeys(range(5), ""), 5) == []
    assert missing(dict.fromkeys((0, 1, 4, 9), ""), 8) == [range(2, 4), range(5, 8)]


def test_the_pace_is_told_in_words() -> None:
    assert pace(1200.4, 3600) == "1,200 games/s, 3 s left" and pace(2.25, 900) == "2.2 games/s, 7 min left"
    assert pace(2, 90_000) == "2.0 games/s, 12.5 h left" and pace(0, 5) == ""


# ---- mistakes


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--players", "4..2"), "runs backwards"),
        (("--players", "few"), "is no number of players"),
        (("--players", "2,,3"), "a value is missing"),
        (("--players", "2..9"), "is for 2 to 4 players"),
        (("--players", "2..3,3"), "stands there twice"),
        (("--players", "3,03"), "`03` stands there twice, as `3`"),
        (("--out", ""), "--out names no file"),
        (("--on", "tls://localhost:8786"), "is no address of a scheduler"),
        (("--option", "rounds=1..9"), "is a number from 1 to 5"),
        (("--option", "rounds=1..99999"), "more than 1,000 values"),
        (("--option", "hands=1..3"), "has no option `hands`"),
        (("--resume",), "--out FILE.parquet"),
        (("--out", "games.csv"), "does not end in `.parquet`"),
        (("--out", "nowhere/games.parquet"), "there is no folder `nowhere`"),
        (("--on", "localhost"), "is no address of a scheduler"),
        (("--on", "tcp://localhost:8786", "--jobs", "2"), "leave one of them out"),
        (("--jobs", "0"), "0 is not in the range"),
    ],
)
def test_mistakes_are_told_before_anything_is_played(args: tuple[str, ...], words: str, rules: str) -> None:
    ran = run("simulate", rules, *args)
    assert ran.code == 2 and words in ran.err and ran.out == ""


def test_games_are_in_the_file_even_if_nothing_can_be_told(rules: str, tmp_path: Path) -> None:
    out = tmp_path / "games.parquet"
    nobody, pipe = os.pipe()
    os.close(nobody)
    subprocess.run([*COMMAND, "simulate", rules, "--games", "3", "--out", str(out)], stdout=pipe, stderr=pipe)
    os.close(pipe)
    assert len(pl.read_parquet(out)) == 3


def test_a_file_that_is_complete_is_not_gone_on_with(rules: str, tmp_path: Path) -> None:
    out = tmp_path / "games.parquet"
    assert run("simulate", rules, "--games", "2", "--out", str(out)).code == 0
    ran = run("simulate", rules, "--games", "2", "--out", str(out), "--resume")
    assert ran.code == 2 and "is complete" in ran.err
    assert run("simulate", rules, "--games", "3", "--out", str(out)).code == 0 and len(pl.read_parquet(out)) == 3


def test_no_cluster_there(rules: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "SECONDS", 0.5)
    out = tmp_path / "games.parquet"
    ran = run("simulate", rules, "--on", "tcp://127.0.0.1:9", "--out", str(out))
    assert ran.code == 2 and "there is no cluster at tcp://127.0.0.1:9" in ran.err and "dask scheduler" in ran.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("package", "args", "extra"), [
    ("polars", ("--out", "games.parquet"), "tables"), ("distributed", ("--on", "tcp://127.0.0.1:9"), "cluster"),
])  # fmt: skip
def test_an_extra_that_is_missing(
    package: str, args: tuple[str, ...], extra: str, rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("cluster", "tables"):
        monkeypatch.setattr(f"cambist.simulation.{module}.find_spec", lambda name: None)
    ran = run("simulate", rules, *args)
    assert ran.code == 2 and "is not installed" in ran.err and f"pip install 'cambist[{extra}]'" in ran.err
    assert not Path("games.parquet.unfinished").exists()


def test_what_json_holds_when_a_run_was_stopped(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(self: Cell, task: Any) -> Done:
        if task.first:
            raise KeyboardInterrupt
        return played(self, task)

    played = Cell.play
    monkeypatch.setattr(Cell, "play", stopped)
    ran = run("simulate", rules, "--games", "50", "--json")
    data = json.loads(ran.out)
    assert ran.code == 130 and (data["games"], data["asked"]) == (12, 50) and "with --out FILE.parquet" in ran.err


# ---- measures


def test_measures_are_columns_if_one_asks_for_them(tmp_path: Path) -> None:
    rules = tender(
        tmp_path, ("invariant slips", "measure given of each p after bidding: size of p.bid\ninvariant slips")
    )
    out = tmp_path / "games.parquet"
    words = ("simulate", rules, "--players", "2", "--games", "6", "--seed", "3", "--out", str(out))
    assert run(*words).code == 0 and not [c for c in pl.read_parquet(out).columns if c.startswith("measure")]
    plain = pl.read_parquet(out)
    assert run(*words, "--measures").code == 0
    measured = pl.read_parquet(out)
    assert measured.columns[-2:] == ["measure_given_p1", "measure_given_p2"]
    assert measured.drop("measure_given_p1", "measure_given_p2").equals(plain)
    assert measured["measure_given_p1"].dtype == pl.Float64 and 0 < max(measured["measure_given_p1"].to_list()) <= 4


def test_measures_whose_names_would_give_one_column_have_two(tmp_path: Path) -> None:
    more = "measure w of each p at end: 1\nmeasure w_p1 at end: 7\ninvariant slips"
    out, rules = tmp_path / "games.parquet", tender(tmp_path, ("invariant slips", more))
    assert run("simulate", rules, "--players", "2", "--games", "2", "--out", str(out), "--measures").code == 0
    table = pl.read_parquet(out)
    assert {name: set(table[name]) for name in table.columns if name.startswith("measure")} == {
        "measure_w_p1": {1.0}, "measure_w_p2": {1.0}, "measure_w_p1_2": {7.0},
    }  # fmt: skip


def test_measures_need_a_file_and_random_players(tmp_path: Path) -> None:
    rules, out = tender(tmp_path), str(tmp_path / "x.parquet")
    for more in ((), ("--out", out, "--check"), ("--out", out, "--seats", "greedy,random")):
        told = run("simulate", rules, "--measures", *more)
        assert told.code == 2 and "--measures" in told.err
