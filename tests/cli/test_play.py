"""Playing at the keyboard, without a terminal: every way to answer, every command, good and damaged saves."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import cambist
from cambist.schema_check import problems
from tests.cli.running import Ran, run, tender


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    return tender(tmp_path)


def play(rules: str, *lines: str, more: tuple[str, ...] = ()) -> Ran:
    return run("play", rules, "--players", "2", "--seed", "11", *more, input="".join(f"{line}\n" for line in lines))


def answers(path: Path) -> list[list[Any]]:
    """What the person at seat 0 has answered in a save."""
    return [answer for player, answer in json.loads(path.read_text())["match"]["history"] if player == 0]


# ---- answers


PILES = """\
game shelves "Shelves"
  players 2..3
  source R "house rules" language en

enum letter: A, B                                                   cites R"Parts"
card book: letters: list of letter, pages: number
deck box of book                                                    cites R"Parts"
  1 book [A] 1
  1 book [B] 2
  2 book [A, B] 3
  1 book [A] 4
zone shelf: row of each player, seen by all
zone bag:   bag of each player, seen by owner
define alike(pile) = some k in letter where (every b in pile where k in b.letters)
define sound(piles) = every pile in piles where alike(pile)
define pages(cards) = sum of b.pages for b in cards
show shelf(p) for b in p.shelf instead of shelf
  letters: b.letters
  pages:   b.pages
show heavy(p), seen by owner: pages(p.bag)

play                                                                cites R"Play"
  move box to (first of players).shelf
  let p = first of players
  p chooses piles: any arrangement of p.shelf such that sound(piles)
  otherwise
    return
  each pile in piles where size of pile > 1: move pile to p.bag
  p chooses b in p.shelf
  otherwise
    return
score p = size of p.bag                                             cites R"End"
winner most score, ties shared                                      cites R"End"
"""


@pytest.mark.parametrize(
    ("line", "sizes"),
    [
        ("1 3", [1, 1, 1, 2]),  # what is left out lies alone
        ("3 1 5 / 2", [1, 1, 3]),
        ("1 / 2 / 3 / 4 / 5", [1, 1, 1, 1, 1]),
        ("(book [A] 1, book A-B), (book [B]), (book [A, B] 3), (book A 4)", [1, 1, 1, 2]),
    ],
)
def test_piles(line: str, sizes: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shelves.rules").write_text(PILES)
    ran = play("shelves.rules", line, "quit")
    assert ran.code == 0 and "what is left out lies alone" in ran.out
    (answer,) = answers(tmp_path / "shelves-11.save.json")
    assert sorted(len(pile) for pile in answer[1]) == sizes


def test_piles_that_break_the_rule_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shelves.rules").write_text(PILES)
    ran = play("shelves.rules", "1 2", "quit")
    assert "`sound` does not hold" in ran.out


def test_what_is_shown_stands_on_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Instead of the zone of that name, line by line; only the owner is told what the bag weighs."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shelves.rules").write_text(PILES)
    ran = play("shelves.rules", "3 4", "quit")
    assert "A [pages 1]" in ran.out and "A-B [pages 3]" in ran.out
    assert ran.out.count("heavy") == 2 and "heavy  6" in ran.out.replace("    ", " ").replace("   ", "  ")


@pytest.mark.parametrize(
    ("bid", "cards"),
    [
        (["1", "done"], 1),
        (["1 2", "done"], 2),
        (["1,2 done"], 2),
        (["1", "1", "1", "done"], 1),
        (["all done"], 4),
        (["done"], 0),
        (["nothing"], 0),
        (["slip 1"], 1),
        (["2 slip 1"], 2),
        (["slip 1, slip 2"], 2),
        (["slip 1, slip 2 done"], 2),
        (["1", "slip 2", "done"], 2),  # a name takes one more, as its number does
        (["1", "slip 2 done"], 2),
        (["1", "slip 2", "slip 2", "done"], 1),
        (["1", "slip 1, slip 2", "done"], 3),
        (["2", "2", "slip 2", "1", "done"], 2),  # given back, but begun
    ],
)
def test_some_of_several(bid: list[str], cards: int, rules: str, tmp_path: Path) -> None:
    """This hand has two slips of the first kind: a third `1` gives both back."""
    if bid == ["1", "1", "1", "done"]:
        cards = 0
    ran = play(rules, *bid, "quit")
    assert ran.code == 0 and "2 x slip 1" in ran.out
    (answer,) = answers(tmp_path / "tender-11.save.json")
    assert len(answer[1]) == cards


def test_a_name_alone_is_taken_where_it_is_not_all(tmp_path: Path, rules: str) -> None:
    bid = ("some of p.hand, possibly none\n", "some of p.hand, at least 2\n    otherwise\n      nothing\n")
    path = tender(tmp_path, bid)
    ran = play(path, "slip 2", "slip 1", "done", "quit")
    assert "slip 2 [taken]" in ran.out and "-> slip 1, slip 2\n" in ran.out


@pytest.mark.parametrize("line", ["slip 2, slip 2", "2 slip 2"])
def test_what_is_named_more_often_than_it_is_there(line: str, rules: str) -> None:
    assert "there is only 1 x `slip 2` for `cards`" in play(rules, line, "quit").out


def test_a_name_that_fits_different_cards_is_asked_about(rules: str, tmp_path: Path) -> None:
    ran = play(rules, "slip", "quit")
    assert "`slip` fits several for `cards`; which one? `slip 1`, `slip 2`, `slip 5`" in " ".join(ran.out.split())
    assert answers(tmp_path / "tender-11.save.json") == []


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("1", "keep"),
        ("keep", "keep"),
        ("ke", "keep"),
        ("2", "sell 1"),
        ("sell 3", "sell 3"),
        ("give bot2", "give bot2"),
    ],
)
def test_labels(line: str, answer: str, rules: str) -> None:
    assert f"-> {answer}\n" in play(rules, "done", line, "quit").out


def test_what_is_refused_is_said_and_asked_again(rules: str) -> None:
    ran = play(rules, "slip 9", "99", "1 77", "done", "99", "bid", "sell 4", "give you", "keep", "quit")
    assert "`slip 9` is not offered" in ran.out and "there are the numbers 1 to 3" in ran.out
    assert "there is no number 99" in ran.out and "`bid` is not one of `keep`, `sell`, `give`" in ran.out
    assert ran.out.count("-> keep") == 1


def test_numbers_are_typed_as_they_are(tmp_path: Path, rules: str) -> None:
    path = tender(tmp_path, ("    sell n in 1..3:", "    sell n in 0..40:"))
    ran = play(path, "done", "sell", "99", "37", "quit")
    assert "n: 0 to 40" in ran.out and "99 is not offered" in ran.out and "-> sell 37" in ran.out


def test_long_lists_come_in_pages(tmp_path: Path, rules: str) -> None:
    lend = "    lend a in 1..5, b in 1..9:\n      nothing\n"
    path = tender(tmp_path, ("    keep:\n", lend + lend.replace("lend", "rent") + "    keep:\n"))
    ran = play(path, "done", "more", "more", "70", "quit")
    assert ran.out.count("1 to 60 of 95") == 2 and "61 to 95 of 95" in ran.out and "-> rent 3, 7" in ran.out


def test_a_single_answer_is_taken_and_told(tmp_path: Path, rules: str) -> None:
    path = tender(tmp_path, ("    keep:\n      move p.bid to p.hand\n    sell n in 1..3:", "    sell n in 2..2:"),
                  ("    give q in players where q is not p:\n      move p.bid to q.hand\n", ""),
                  ("a chooses sell 3", "a chooses sell 2"))  # fmt: skip
    ran = play(path, "done", "quit")
    assert "only `sell 2` is possible, so it is done" in ran.out
    ran = play(path, "1 done", "undo", "quit")
    assert "back to your decision before `slip 1`" in ran.out  # not to the one that was none


# ---- commands


def test_commands(rules: str) -> None:
    ran = play(rules, "help", "done", "why", "log", "log all", "table", "save", "save other.json", "quit")
    assert "back to your previous decision" in ran.out
    assert "cites R Sale" in ran.out and "tender.rules:" in ran.out
    assert ran.out.count("box is shuffled") >= 3
    assert "\x1b" not in ran.out  # no colours where there is no terminal
    assert "saved in tender-11.save.json\n" in ran.out and "saved in other.json\n" in ran.out


def test_undo_goes_back_to_the_previous_decision(rules: str) -> None:
    ran = play(rules, "undo", "1 done", "keep", "undo", "undo", "undo", "quit")
    assert ran.out.count("there is no earlier decision") == 2
    assert "back to your decision before `keep`" in ran.out and "back to your decision before `slip 1`" in ran.out


def test_undo_and_the_same_answer_give_the_same_game(rules: str) -> None:
    once = play(rules, "1 done", "keep", "log all", "quit").out
    twice = play(rules, "1 done", "keep", "undo", "undo", "2 done", "undo", "1 done", "keep", "log all", "quit").out
    assert once.split("keep\n")[-1].split("saved")[0] == twice.split("keep\n")[-1].split("saved")[0]


def test_an_answer_that_is_called_like_a_command(tmp_path: Path, rules: str) -> None:
    path = tender(tmp_path, ("    keep:", "    quit:"))
    ran = play(path, "done", "quit", "done", ":quit")
    assert "-> quit" in ran.out and "saved in" in ran.out and ran.code == 0


def test_log_takes_all_or_nothing(rules: str) -> None:
    ran = play(rules, "log 5", "log foo", "log ALL", "quit")
    assert ran.out.count("`log all` shows all; nothing else follows it") == 2
    assert ran.out.count("box is shuffled") == 2  # as news, and once in the log


@pytest.mark.parametrize("begin", ["x", "9", "slip 9", "sell 9", "save x", "save a\0b"])
def test_what_is_quoted_is_short(begin: str, rules: str) -> None:
    ran = play(rules, begin + begin[-1] * 10**5, "done", begin + begin[-1] * 10**5, "quit")
    assert ran.code == 0 and len(ran.out) < 10_000 and "saved in tender-11" in ran.out


@pytest.mark.parametrize("line", ["all", "1,2", "7"])
def test_of_amounts_only_those_are_told_that_the_condition_allows(line: str, rules: str, tmp_path: Path) -> None:
    path = tender(tmp_path, ("    sell n in 1..3:", "    sell n in 1..30 where n > 9:"),
                  ("chooses sell 3", "chooses sell 10"), ("then a.purse = 2.5", "then a.purse = 6"))  # fmt: skip
    ran = play(path, "done", "sell", line, "quit")
    assert f"{line} is not offered; n is 10 to 30" in ran.out


def test_one_answer_is_one_answer(rules: str) -> None:
    ran = run("play", rules, "--seats", "you,you", "--seed", "1", input="\ndone\n\nquit\n")
    assert "0 answers so far" in ran.out and "1 answer so far" in ran.out


# ---- to the end


def test_a_whole_game(rules: str) -> None:
    ran = play(rules, *["done", "sell 3"] * 2, more=("--save", "kept.json"))
    assert ran.code == 0 and "the game is over: played to the end" in ran.out
    assert "you   7  wins" in ran.out or "shares the win" in ran.out or "bot2" in ran.out
    again = run("play", "--load", "kept.json")
    assert again.code == 0 and "the game is over" in again.out


def test_only_bots(rules: str) -> None:
    ran = run("play", rules, "--seats", "random,random,random")
    assert ran.code == 0 and "the game is over" in ran.out and "nobody at the keyboard" in ran.out


def test_two_persons_do_not_see_each_others_cards(rules: str) -> None:
    ran = run("play", rules, "--seats", "you,you", "--seed", "1", input="\ndone\n\ndone\nquit\n")
    assert "you1, press Enter when only you can see the screen" in ran.out
    first, second = ran.out.split("you2, press Enter")[:2]
    assert first.count("4 hidden") == second.split("you1, press")[0].count("4 hidden") == 1


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("quit", "saved in tender-1.save.json; to go on"),
        (":quit", "saved in tender-1.save.json; to go on"),
        ("save mine.json", "saved in mine.json"),
        ("help", "back to your previous decision"),
        ("table", "Enter alone goes on"),
        ("1", "Enter alone goes on"),
    ],
)
def test_between_two_persons_no_word_shows_the_next_hand(line: str, said: str, rules: str) -> None:
    ran = run("play", rules, "--seats", "you,you", "--seed", "1", input=f"\ndone\n{line}\n")
    waiting = ran.out.split("you2, press Enter", 1)[1]
    assert said in waiting and "4 hidden" not in waiting and "you2 to decide" not in waiting
    assert waiting.count("you2, press Enter") == (0 if "quit" in line else 1)


def together(rules: str, *lines: str, seats: str = "you,you") -> Ran:
    return run("play", rules, "--seats", seats, "--seed", "1", input="".join(f"{line}\n" for line in lines))


def test_with_others_a_sealed_answer_that_was_shown_stays(rules: str) -> None:
    ran = together(rules, "", "1 done", "", "done", "", "undo", "keep", "quit")
    assert "that cannot be undone: something hidden was shown since" in ran.out
    assert "back to your decision" not in ran.out and "-> keep" in ran.out
    last = together(rules, "", "done", "", "done", "", "keep", "", "undo", "quit")  # the last to seal learns most
    assert "that cannot be undone" in last.out


def test_with_others_what_was_open_can_be_undone(rules: str) -> None:
    ran = together(rules, "", "1 done", "", "1 done", "", "keep", "", "sell 1", "", "undo", "quit")
    assert "back to your decision before `keep`" in ran.out


@pytest.mark.parametrize(
    ("shown", "refused"),
    [
        ("move 1 from box to p.hand", True),  # the one who decides again has seen the card
        ("let n = random of 1..6", True),
        ("each q in players where q is not p: move 1 from box to q.hand", False),
    ],
)
def test_with_others_what_came_to_light_cannot_be_undone(shown: str, refused: bool, rules: str, tmp_path: Path) -> None:
    path = tender(tmp_path, ("    keep:\n      move", f"    keep:\n      {shown}\n      move"),
                  ("each p: sale(p)", "each p\n      sale(p)\n      sale(p)"))  # fmt: skip
    ran = together(path, "", "done", "", "done", "", "keep", "undo", "quit")
    assert ("that cannot be undone" in ran.out) is refused
    assert ("back to your decision before `keep`" in ran.out) is not refused


def test_undo_that_leads_nowhere_leaves_what_is_taken(rules: str, tmp_path: Path) -> None:
    ran = play(rules, "1", "undo", "2", "done", "quit")
    assert "there is no earlier decision of yours" in ran.out and "-> slip 1, slip 2\n" in ran.out


def test_the_end_of_the_input_saves(rules: str, tmp_path: Path) -> None:
    ran = run("play", rules, "--seed", "5")
    assert ran.code == 0 and "the input has ended" in ran.out
    assert "cambist play" in ran.out and "--load tender-5.save.json" in ran.out
    data = json.loads((tmp_path / "tender-5.save.json").read_text())
    assert problems("play_save", data) == [] and problems("save", data["match"]) == []


def test_leaving_saves_under_the_name_given_last(rules: str, tmp_path: Path) -> None:
    ran = play(rules, "save one.json", "save two.json", "1 done", "quit")
    assert "saved in two.json; to go on" in ran.out
    assert answers(tmp_path / "one.json") == [] and len(answers(tmp_path / "two.json")) == 1
    assert "saved in three.json; to go on" in run(
        "play", "--load", "one.json", input="save three.json\n1 done\nquit\n"
    ).out  # fmt: skip
    assert answers(tmp_path / "one.json") == []


def test_what_is_saved_after_every_answer_stays_in_its_file(rules: str, tmp_path: Path) -> None:
    play(rules, "save aside.json", "1 done", "quit", more=("--save", "kept.json"))
    assert answers(tmp_path / "aside.json") == [] and len(answers(tmp_path / "kept.json")) == 1


def test_another_game_is_not_overwritten(rules: str, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    for _ in range(3):
        ran = play(rules, "save notes.txt", "quit")
        assert "exists and is no save" in ran.out
    assert {p.name for p in tmp_path.glob("*.save.json")} == {
        "tender-11.save.json", "tender-11-2.save.json", "tender-11-3.save.json"
    }  # fmt: skip
    assert (tmp_path / "notes.txt").read_text() == "mine"
    assert play(rules, more=("--save", "notes.txt")).code == 2
    folder = play(rules, more=("--save", str(tmp_path)))
    assert folder.code == 2 and "is a folder" in folder.err and "--load" not in folder.err
    assert "--save needs the name of a file" in play(rules, more=("--save", "")).err
    assert not list(tmp_path.glob("*.tmp"))


def test_a_fault_of_the_rules_keeps_the_game(tmp_path: Path, rules: str) -> None:
    path = tender(tmp_path, ("transfer 0.5 from till to p.purse", "transfer 3.5 from p.purse to till"))
    ran = play(path, "done", "sell 2", more=("--save", "kept.json"))
    assert ran.code == 1 and "fault[R0108]" in ran.out and "one answer before" in ran.out
    tender(tmp_path)
    assert run("play", "--load", "kept.json", input="quit\n").code in (0, 1)


# ---- saves


def test_a_saved_game_goes_on_as_if_never_saved(rules: str) -> None:
    whole = play(rules, "1 done", "keep", "2 done", "log all", "quit").out
    play(rules, "1 done", "keep", more=("--save", "half.json"))
    rest = run("play", "--load", "half.json", input="2 done\nlog all\nquit\n").out
    assert whole.split("slip 2\n")[-1].split("saved")[0] == rest.split("slip 2\n")[-1].split("saved")[0]
    assert "box is shuffled" in rest.split("-> slip 2\n")[-1]


def test_a_bare_save_of_a_match_can_be_loaded(rules: str, tmp_path: Path) -> None:
    match = cambist.load(rules).start(3, seed=2)
    path = tmp_path / "bare.json"
    path.write_text(json.dumps(match.save()))
    assert run("play", rules, "--load", str(path), input="quit\n").code == 0


def test_every_cut_of_a_save_is_refused(rules: str, tmp_path: Path) -> None:
    play(rules, "1 done", more=("--save", "kept.json"))
    whole = (tmp_path / "kept.json").read_bytes()
    for length in range(0, len(whole) - 2, 41):
        (tmp_path / "cut.json").write_bytes(whole[:length])
        ran = run("play", "--load", "cut.json")
        assert ran.code == 1 and "`cut.json`" in ran.err and "help:" in ran.err


def test_a_changed_save_is_refused_or_the_same_game(rules: str, tmp_path: Path) -> None:
    play(rules, "1 done", "keep", more=("--save", "kept.json"))
    whole, rng = (tmp_path / "kept.json").read_bytes(), random.Random(2)
    good = 0
    for _ in range(60):
        damaged = bytearray(whole)
        damaged[rng.randrange(len(whole))] ^= 1 << rng.randrange(8)
        (tmp_path / "changed.json").write_bytes(bytes(damaged))
        ran = run("play", rules, "--load", "changed.json", input="quit\n")
        assert ran.code in (0, 1)
        good += ran.code == 0
    assert good < 20


@pytest.mark.parametrize("data", ["", "[]", "{}", "3", '{"save": 1}', '{"cambist play save": 1}', "[" * 9999, "\x00"])
def test_foreign_files(data: str, rules: str, tmp_path: Path) -> None:
    (tmp_path / "foreign").write_text(data)
    ran = run("play", rules, "--load", "foreign")
    assert ran.code == 1 and "error: `foreign`" in ran.err and "help:" in ran.err


@pytest.mark.parametrize(("old", "new"), [('"cambist play save":1', '"cambist play save":2'), ('"save":3', '"save":4')])
def test_a_save_of_a_newer_version_is_not_called_damaged(old: str, new: str, rules: str, tmp_path: Path) -> None:
    play(rules, "1 done", more=("--save", "kept.json"))
    text = (tmp_path / "kept.json").read_text()
    assert text.count(old) == 1
    (tmp_path / "newer.json").write_text(text.replace(old, new))
    ran = run("play", "--load", "newer.json")
    assert ran.code == 1 and "written by a newer Cambist" in ran.err and "damaged" not in ran.err


def test_a_bare_save_of_a_newer_version(rules: str) -> None:
    game = cambist.load(rules)
    with pytest.raises(cambist.SaveError, match="written by a newer Cambist"):
        game.restore({**game.start(2).save(), "save": 4, "more": 1})


def test_a_save_that_an_editor_has_marked_as_text(rules: str, tmp_path: Path) -> None:
    play(rules, "1 done", more=("--save", "kept.json"))
    path = tmp_path / "kept.json"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    ran = play(rules, "save kept.json", "quit")
    assert "exists and is no save" not in ran.out
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert run("play", "--load", "kept.json", input="quit\n").code == 0


def test_a_game_goes_on_when_rules_elsewhere_have_changed(rules: str, tmp_path: Path) -> None:
    play(rules, "1 done", "keep", more=("--save", "kept.json"))
    tender(tmp_path, ("transfer 0.5 from", "transfer 1 from"), ("then a.purse = 2.5", "then a.purse = 4"))
    for _ in range(2):
        ran = run("play", "--load", "kept.json", input="undo\nlog\nsell 2\nquit\n")
        assert ran.code == 0 and "nothing can be undone" in ran.out


def test_a_save_whose_rules_are_gone(rules: str, tmp_path: Path) -> None:
    play(rules, "1 done", more=("--save", "kept.json"))
    Path(rules).unlink()
    ran = run("play", "--load", "kept.json")
    assert ran.code == 2 and "does not exist" in ran.err


def test_a_folder_one_may_not_write_to(rules: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ran = play(rules, "save file/x.json", "quit")
    assert ran.code == 0 and "could not be written" in ran.out
