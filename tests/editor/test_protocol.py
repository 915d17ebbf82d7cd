"""`cambist lsp` as an editor meets it: a process, messages over pipes, nothing else."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cambist.dsl import api
from cambist.dsl.finding import games_folder
from tests.harness.editor import Editor, ErrorAnswer

STALL = """\
game stall "A stall"
  players 2..4
  source R "rulebook.txt" language en
    section "Parts"
    section "Play"
    section "End"

# what a slip of paper tells: 🂡 ça va
enum color: red, blue                                               cites R"Parts"
card slip: color, value: number
deck box of slip                                                    cites R"Parts"
  4 slip each 1
  4 slip each 5
unit coin
account bank in coin, unlimited
account cash of each player in coin = 10                            cites R"Parts"
zone hand: bag of each player, seen by owner
zone stock, drop: pile, seen by nobody
variable rounds: number = 0                                         assumed because "nobody counts" or 1, 2

use deck with discard is drop                      cites R"Play"

# the price is what the paper says
define price(s) = s.value
define dear(s) = price(s) > 2

phase buying(p)                                                     cites R"Play"
  p chooses
    buy s in box where p.cash >= price(s):
      transfer price(s) from p.cash to bank
      move s to p.hand
    pass:
      nothing
  add 1 to rounds

play                                                                cites R"Play"
  each p: buying(p)

score p = p.cash                                                    cites R"End"
winner most score, ties shared                                      cites R"End"
invariant sane: every c in box where dear(c) or price(c) >= 0       cites R"Parts"

example "a red slip"                                                cites R"Play"
  given player p; phase is buying(p)
  when p chooses buy slip red 5
  then p.cash = 5; p.hand holds slip red 5

example "too much"                                                  cites R"Play"
  given player p; phase is buying(p)
  when p chooses buy slip blue 5
  then p.cash = 4
"""
QUICK = """\
variant quick of stall "A quick stall"
  rename red to crimson

set rounds to 3                                                     assumed because "try it"
replace define dear(s) = price(s) > 3                               assumed because "try it"
remove example "too much"
add define pricey(s) = dear(s) and s is slip crimson                assumed because "try it"
add invariant saner: every c in box where pricey(c) or price(c) > 0 assumed because "try it"
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("stall")
    (found / "stall.rules").write_text(STALL, "utf-8")
    (found / "quick.rules").write_text(QUICK, "utf-8")
    return found


@pytest.fixture(scope="module")
def running(folder: Path) -> Iterator[Editor]:
    editor = Editor(folder)
    yield editor
    editor.close()


@pytest.fixture
def editor(running: Editor) -> Editor:
    """The stall and its variant are open, as they are on the disk."""
    for name, text in (("stall.rules", STALL), ("quick.rules", QUICK)):
        if name in running.versions:
            running.write(name, text)
        else:
            running.open(name)
    running.notes.clear()
    return running


def lines(editor: Editor, name: str, found: list[dict[str, Any]]) -> set[tuple[int, str]]:
    return {(place["range"]["start"]["line"] + 1, editor.between(name, place["range"])) for place in found}


def test_diagnostics_come_while_typing_and_go_again(editor: Editor) -> None:
    assert editor.open("stall.rules") == []
    editor.type("stall.rules", editor.place("stall.rules", "price(s) from", 1), "x")
    (one,) = editor.found("stall.rules")
    assert one["code"] == "E0101" and editor.between("stall.rules", one["range"]) == "pxrice"
    assert "did you mean `price`" in one["message"]
    place = editor.place("stall.rules", "pxrice(s) from", 1)
    editor.type("stall.rules", place, "", {**place, "character": place["character"] + 1})
    assert editor.found("stall.rules") == []


def test_only_the_last_of_many_keystrokes_is_checked(editor: Editor) -> None:
    place = editor.place("stall.rules", "price(s) from", 1)
    for letter in "abcdef":
        editor.type("stall.rules", place, letter)
    (one,) = editor.found("stall.rules")
    assert editor.between("stall.rules", one["range"]) == "pfedcbarice"
    told = [n["params"]["version"] for n in editor.notes if n["method"] == "textDocument/publishDiagnostics"]
    assert told == []


def test_columns_are_counted_as_utf_16_does(editor: Editor) -> None:
    text = STALL.replace("define dear(s) = price(s) > 2", 'invariant odd: "🂡🂡é" = nothere')
    (one,) = [d for d in editor.write("stall.rules", text) if "nothere" in d["message"]]
    assert one["range"]["start"]["character"] == len('invariant odd: "🂡🂡é" = '.encode("utf-16-le")) // 2
    assert editor.between("stall.rules", one["range"]) == "nothere"
    editor.type("stall.rules", editor.place("stall.rules", "nothere", 3), "_")
    assert any("not_here" in d["message"] for d in editor.found("stall.rules"))


def test_hover_tells_kind_comment_citation_and_section(editor: Editor) -> None:
    found = editor.at("hover", "stall.rules", "price(s) from", 2)
    assert editor.between("stall.rules", found["range"]) == "price"
    text = found["contents"]["value"]
    assert "define price(s) = s.value" in text and "a number" in text
    assert "the price is what the paper says" in text
    assert "cites “Play” of rulebook.txt" in editor.at("hover", "stall.rules", "buying(p)", 2, 1)["contents"]["value"]
    assert (
        "assumed because “nobody counts”; or 1, 2"
        in (editor.at("hover", "stall.rules", "rounds\n", 2)["contents"]["value"])
    )
    assert (
        "section** “Parts” of rulebook.txt, cited 4 times"
        in (editor.at("hover", "stall.rules", 'R"Parts"', 3)["contents"]["value"])
    )
    assert "several of `slip`" not in text
    assert "`s`: a card" in editor.at("hover", "stall.rules", "s to p.hand")["contents"]["value"]
    assert editor.at("hover", "stall.rules", "# what a slip", 6) is None


def test_definition_leads_into_the_library(editor: Editor) -> None:
    text = STALL.replace("  add 1 to rounds\n", "  add 1 to rounds\n  deck.renew\n")
    assert editor.write("stall.rules", text) == []
    (there,) = editor.at("definition", "stall.rules", "deck.renew", 6)
    assert there["uri"].endswith("/dsl/library/deck.rules")
    library = Path(there["uri"].removeprefix("file://")).read_text("utf-8").split("\n")
    start, end = there["range"]["start"], there["range"]["end"]
    assert library[start["line"]][start["character"] : end["character"]] == "renew"
    (module,) = editor.at("definition", "stall.rules", "deck.renew", 2)
    assert module["uri"] == there["uri"] and library[module["range"]["start"]["line"]].startswith("library deck")
    (need,) = editor.at("definition", "stall.rules", "discard is", 2)
    assert need["uri"] == there["uri"]


@pytest.mark.parametrize(
    ("text", "inside", "line"),
    [
        ("is drop", 4, "zone stock"),
        ("s.value", 3, "card slip"),
        ("slip red 5\n  then", 6, "enum color"),
        ("buy slip red", 1, "    buy s in"),
        ("s to p.hand", 0, "    buy s in"),
        ('R"End"', 3, '    section "End"'),
        ("buying(p)\n\nscore", 2, "phase buying"),
        ("score, ties", 2, "score p"),
    ],
)
def test_definitions(editor: Editor, text: str, inside: int, line: str) -> None:
    (there,) = editor.at("definition", "stall.rules", text, inside)
    assert editor.texts["stall.rules"].split("\n")[there["range"]["start"]["line"]].startswith(line)


def test_a_variant_leads_to_its_base(editor: Editor) -> None:
    assert editor.open("quick.rules") == []
    stall = editor.uri("stall.rules")
    for text, inside, line in [
        ("stall", 1, "game stall"),
        ("red to", 1, "enum color"),
        ("crimson", 1, "enum color"),
        ("rounds", 2, "variable rounds"),
        ("dear(s) =", 1, "define dear"),
        ('"too much"', 3, 'example "too much"'),
        ("price(s) >", 1, "define price"),
        ("slip crimson", 6, "enum color"),
    ]:
        (there,) = editor.at("definition", "quick.rules", text, inside)
        assert there["uri"] == stall, text
        assert STALL.split("\n")[there["range"]["start"]["line"]].startswith(line), text


def test_references_are_found_in_other_files(editor: Editor) -> None:
    found = editor.at("references", "stall.rules", "price(s) =", 1, context={"includeDeclaration": True})
    own = [f for f in found if f["uri"] == editor.uri("stall.rules")]
    assert [f["range"]["start"]["line"] + 1 for f in own] == [
        number for number, line in enumerate(STALL.split("\n"), 1) if "price(" in line
    ]
    assert [f for f in found if f["uri"] == editor.uri("quick.rules")]
    without = editor.at("references", "stall.rules", "price(s) =", 1, context={"includeDeclaration": False})
    assert len(without) == len(found) - 1
    lit = editor.at("documentHighlight", "stall.rules", "price(s) =", 1)
    assert lines(editor, "stall.rules", lit) == lines(editor, "stall.rules", own)


def test_completion_knows_what_may_stand_here(editor: Editor) -> None:
    def offered(text: str) -> dict[str, dict[str, Any]]:
        editor.write("stall.rules", STALL.replace("  add 1 to rounds\n", f"  add 1 to rounds\n  {text}\n"))
        return editor.labels("stall.rules", f"  {text}\n", len(text) + 2)

    assert set(offered("transfer 1 from p.")) == {"cash", "hand"}
    assert {"value", "color"} == set(offered("each s in box: add s."))
    assert {"bank"} <= set(offered("transfer 1 from ")) and "phase" not in offered("transfer 1 from ")
    statement = offered("")
    assert {"move", "transfer", "buying"} <= set(statement) and not {"zone", "given"} & set(statement)
    assert statement["buying"]["textEdit"]["newText"] == "buying(${1:p})"
    assert {"renew", "draw", "draw_up_to"} <= set(offered("deck."))
    assert {"red", "blue"} <= set(offered("if box is not empty and (some c in box where c is slip "))
    for text, inside, some, never in [
        ("\n\nscore p", 1, {"zone", "phase", "zone of each player …"}, {"move", "set", "game"}),
        ("zone hand: bag", 11, {"pile", "queue", "row", "bag"}, {"red"}),
        ("seen by owner", 8, {"all", "owner", "nobody"}, {"red"}),
        ('R"Parts"', 2, {"Parts", "Play", "End"}, {"zone"}),
        ("use deck", 4, {"deck", "ladder"}, {"red"}),
        ("when p chooses buy", 15, {"buy", "pass", "slip"}, {"price"}),
        ("# what a slip", 8, set(), {"slip", "zone"}),
    ]:
        editor.write("stall.rules", STALL)
        found = set(editor.labels("stall.rules", text, inside))
        assert some <= found and not never & found, (text, found)


def test_remedies_are_code_actions(editor: Editor) -> None:
    found = editor.write(
        "stall.rules", STALL.replace("price(s) from", "prise(s) from").replace("p.cash to", "p.csh to")
    )
    wrong = [d for d in found if "`prise`" in d["message"]]
    actions = editor.of("codeAction", "stall.rules", range=wrong[0]["range"], context={"diagnostics": wrong})
    (fix,) = [a for a in actions if a["kind"] == "quickfix"]
    assert fix["title"] == "Write `price` instead of `prise`"
    assert fix["isPreferred"] and fix["diagnostics"][0]["code"] == "E0101"
    (both,) = [a for a in actions if a["kind"] == "source.fixAll"]
    assert editor.applied(both["edit"])["stall.rules"] == STALL
    editor.write("stall.rules", STALL.replace("price(s) from", "prise(s) from"))
    after = editor.applied(fix["edit"])["stall.rules"]
    assert editor.write("stall.rules", after) == []
    start = {"line": 0, "character": 0}
    assert (
        editor.of("codeAction", "stall.rules", range={"start": start, "end": start}, context={"diagnostics": []}) == []
    )


def test_renaming_reaches_examples_and_variants(editor: Editor) -> None:
    placeholder = editor.at("prepareRename", "stall.rules", "slip: color", 1)
    assert placeholder["placeholder"] == "slip"
    edit = editor.at("rename", "stall.rules", "slip: color", 1, newName="paper")
    texts = editor.applied(edit)
    assert set(texts) == {"stall.rules", "quick.rules"}
    for name, text in texts.items():
        assert [line for line in text.split("\n") if "slip" in line.split("#")[0] and "example" not in line] == []
        editor.write(name, text)
    assert editor.write("quick.rules", texts["quick.rules"]) == []
    assert editor.write("stall.rules", texts["stall.rules"]) == []


def test_renaming_what_a_variant_renames(editor: Editor) -> None:
    texts = editor.applied(editor.at("rename", "stall.rules", "red, blue", 1, newName="scarlet"))
    assert "rename scarlet to crimson" in texts["quick.rules"]
    assert "buy slip scarlet 5" in texts["stall.rules"]
    texts = editor.applied(editor.at("rename", "quick.rules", "crimson", 1, newName="scarlet"))
    assert set(texts) == {"quick.rules"}
    assert "rename red to scarlet" in texts["quick.rules"] and "slip scarlet" in texts["quick.rules"]


@pytest.mark.parametrize(
    ("text", "inside", "new", "why"),
    [
        ("price(s) =", 1, "zone", "a word of the language"),
        ("price(s) =", 1, "dear", "already a name in stall.rules, line"),
        ("price(s) =", 1, "1st", "is no name"),
        ("price(s) =", 1, "players", "a meaning of its own"),
        ("s.value\n", 0, "hand", "would be a problem"),
        ("discard is", 1, "new", "library/deck.rules, which comes with Cambist"),
        ("# what a", 4, "new", "here is no name"),
        ("transfer price", 1, "new", "here is no name"),
        ('"a red slip"', 4, "new", "changed where it is written"),
    ],
)
def test_renaming_is_refused_with_the_reason(editor: Editor, text: str, inside: int, new: str, why: str) -> None:
    with pytest.raises(ErrorAnswer, match=why):
        editor.at("rename", "stall.rules", text, inside, newName=new)


def test_outline_folds_and_colours(editor: Editor) -> None:
    found = editor.of("documentSymbol", "stall.rules")
    assert [s["name"] for s in found][:4] == ["stall", "color", "slip", "box"]
    assert {"hand", "buying", "a red slip", "too much", "winner", "deck", "play"} <= {s["name"] for s in found}
    buying = next(s for s in found if s["name"] == "buying")
    assert [c["name"] for c in buying["children"]] == ["buy", "pass"] and buying["detail"] == "phase"
    assert editor.between("stall.rules", buying["range"]).endswith("add 1 to rounds")
    assert editor.between("stall.rules", buying["selectionRange"]) == "buying"
    for symbol in found:
        assert symbol["range"]["start"]["line"] <= symbol["selectionRange"]["start"]["line"]
    named = {(s["name"], s["detail"]) for s in editor.of("documentSymbol", "quick.rules")}
    assert {("quick", "variant of stall"), ("rounds", "set"), ("dear", "replace define")} <= named
    assert ("too much", "remove example") in named
    folds = editor.of("foldingRange", "stall.rules")
    line = buying["range"]["start"]["line"]
    assert {(f["startLine"], f["endLine"]) for f in folds} >= {(line, buying["range"]["end"]["line"])}
    (symbol,) = editor.ask("workspace/symbol", {"query": "buyg"})
    assert symbol["name"] == "buying" and symbol["location"]["uri"] == editor.uri("stall.rules")
    legend = editor.capabilities["semanticTokensProvider"]["legend"]["tokenTypes"]
    data = editor.of("semanticTokens/full", "stall.rules")["data"]
    rows, line, column = {}, 0, 0
    for at in range(0, len(data), 5):
        line, column = line + data[at], data[at + 1] + (0 if data[at] else column)
        rows[(line, column)] = legend[data[at + 3]]
    place = editor.place("stall.rules", "price(s) from")
    assert rows[(place["line"], place["character"])] == "function"
    place = editor.place("stall.rules", "red, blue")
    assert rows[(place["line"], place["character"])] == "enumMember"


def test_a_lens_runs_each_example(editor: Editor) -> None:
    lenses = {lens["command"]["arguments"][1]: lens["command"] for lens in editor.of("codeLens", "stall.rules")}
    assert set(lenses) == {None, "a red slip", "too much"}
    good = editor.ask("workspace/executeCommand", _without_title(lenses["a red slip"]))
    assert good["passed"] == 1 and good["failed"] == []
    assert editor.hear("window/showMessage")["message"] == "the example “a red slip” holds"
    bad = editor.ask("workspace/executeCommand", _without_title(lenses["too much"]))
    (failed,) = bad["failed"]
    assert failed["example"] == "too much" and "p.cash = 4" in failed["reason"]
    told = editor.hear("window/showMessage")
    assert told["type"] == 1 and "does not hold" in told["message"]
    (mark,) = editor.found("stall.rules")
    assert editor.between("stall.rules", mark["range"]) == "p.cash = 4" and mark["source"] == "cambist test"
    titles = [lens["command"]["title"] for lens in editor.of("codeLens", "stall.rules")]
    assert titles[1] == "✓ it holds · run again" and titles[2].startswith("✗ it does not hold")
    assert editor.ask("workspace/executeCommand", _without_title(lenses[None]))["passed"] == 1
    changed = editor.write("stall.rules", STALL.replace("p.cash = 4", "p.cash = 5"))
    assert changed == []
    assert "does not hold" not in str(editor.of("codeLens", "stall.rules"))
    editor.write("stall.rules", STALL.replace("price(s) from", "nothing(s) from"))
    message = editor.ask("workspace/executeCommand", _without_title(lenses["too much"]))["message"]
    assert "mend these first" in message


def _without_title(command: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in command.items() if name != "title"}


def test_what_is_wrong_in_the_base_is_shown_in_the_variant(editor: Editor) -> None:
    editor.open("quick.rules", QUICK)
    editor.write("stall.rules", STALL.replace("price(s) from p.cash", "price(s) from p.purse"))  # not saved
    (one,) = editor.hear(
        "textDocument/publishDiagnostics", lambda p: p["uri"] == editor.uri("quick.rules") and p["diagnostics"]
    )["diagnostics"]
    assert editor.between("quick.rules", one["range"]) == "stall"
    assert "(in stall.rules, line" in one["message"]
    (related,) = one["relatedInformation"][:1]
    assert related["location"]["uri"] == editor.uri("stall.rules")
    editor.write("stall.rules", STALL)
    editor.hear(
        "textDocument/publishDiagnostics", lambda p: p["uri"] == editor.uri("quick.rules") and not p["diagnostics"]
    )


def test_formatting_writes_only_the_lines_that_differ(editor: Editor) -> None:
    canonical = getattr(api, "formatted", lambda text, name: text)  # what `cambist fmt` writes
    ugly = STALL.replace("define dear(s) = price(s) > 2", "define   dear( s )=price(s)>2").replace(
        "  add 1", "  add   1"
    )
    editor.write("stall.rules", ugly)
    edits = editor.of("formatting", "stall.rules", options={"tabSize": 2, "insertSpaces": True}) or []
    changed = editor.applied({"changes": {editor.uri("stall.rules"): edits}}) if edits else {"stall.rules": ugly}
    assert changed["stall.rules"] == canonical(ugly, "stall.rules")
    assert sum(e["range"]["end"]["line"] - e["range"]["start"]["line"] for e in edits) < 12
    editor.write("stall.rules", "define (((\n")
    assert not editor.of("formatting", "stall.rules", options={"tabSize": 2, "insertSpaces": True})


def test_settings(editor: Editor) -> None:
    editor.tell("workspace/didChangeConfiguration", {"settings": {"cambist": {"strict": True}}})
    found = editor.hear("textDocument/publishDiagnostics", lambda p: p["uri"] == editor.uri("stall.rules"))
    assert any("price" in d["message"] or d["code"].startswith("E04") for d in found["diagnostics"]), found
    assert found["diagnostics"]
    editor.tell("workspace/didChangeConfiguration", {"settings": {"cambist": {"strict": False}}})
    again = editor.hear("textDocument/publishDiagnostics", lambda p: p["uri"] == editor.uri("stall.rules"))
    assert [d for d in again["diagnostics"] if d["source"] == "cambist"] == []
    editor.tell("workspace/didChangeConfiguration", {"settings": 7})


def test_an_unfinished_file_still_answers(editor: Editor) -> None:
    broken = (
        STALL.replace("define dear(s) = price(s) > 2", "define dear(s) = price(s) >") + '\nexample "\n\x00 zone ???'
    )
    assert editor.write("stall.rules", broken)
    half = STALL[: STALL.index("phase buying")] + "phase buying(p)\n  p chooses\n    buy s in box where p."
    editor.write("stall.rules", half)
    assert {"cash", "hand"} <= set(editor.labels("stall.rules", "where p.", 8))
    assert "define price" in editor.at("hover", "stall.rules", "price(s) >", 1)["contents"]["value"]
    assert editor.of("documentSymbol", "stall.rules")
    assert editor.write("stall.rules", "") and editor.of("documentSymbol", "stall.rules") == []
    assert editor.ask("textDocument/completion", {
        "textDocument": {"uri": editor.uri("stall.rules")}, "position": {"line": 0, "character": 0},
    })["items"]  # fmt: skip


def test_a_file_that_was_never_saved(editor: Editor) -> None:
    name = "untitled:Untitled-1"
    (one,) = editor.open(name, STALL.replace("price(s) from", "prise(s) from"))
    assert "did you mean `price`" in one["message"]
    assert editor.write(name, STALL) == []
    editor.tell("textDocument/didClose", {"textDocument": {"uri": name}})
    assert editor.hear("textDocument/publishDiagnostics", lambda p: p["uri"] == name)["diagnostics"] == []


@pytest.mark.parametrize(
    ("method", "more"),
    [
        ("hover", {"position": {"line": 3, "character": 3}}),
        ("definition", {"position": {"line": 3000, "character": 3}}),
        ("completion", {"position": {"line": 2, "character": 90000}}),
        ("references", {"position": {"line": 0, "character": 0}, "context": {"includeDeclaration": True}}),
        ("documentSymbol", {}),
        ("foldingRange", {}),
        ("codeLens", {}),
        ("semanticTokens/full", {}),
        ("formatting", {"options": {"tabSize": 2, "insertSpaces": True}}),
    ],
)
def test_a_document_that_nobody_opened(editor: Editor, method: str, more: dict[str, Any]) -> None:
    editor.of(method, "nowhere.rules", **more)
    editor.of(method, "quick.rules", **more)
    editor.ask(f"textDocument/{method}", {"textDocument": {"uri": "http://elsewhere/x"}, **more})


def test_nonsense_does_not_end_it(editor: Editor) -> None:
    editor.raw(b"Content-Length: 9\r\n\r\n{nonsense")
    editor.raw(b"Content-Length: 2\r\n\r\n[]")
    editor.raw(b'Hello\r\nContent-Length: 17\r\n\r\n{"jsonrpc":"2.0"}')
    editor.raw('Content-Length: 4\r\n\r\n"é"'.encode())
    editor.tell("textDocument/didChange", {"textDocument": {"uri": "file:///nowhere.rules"}})
    editor.tell("no/such/note", {"a": 1})
    with pytest.raises(ErrorAnswer) as caught:
        editor.ask("no/such/method", {})
    assert caught.value.code == -32601
    with pytest.raises(ErrorAnswer):
        editor.ask("workspace/executeCommand", {"command": "cambist.fly"})
    assert "say which file" in editor.ask("workspace/executeCommand", {"command": "cambist.runExample"})["message"]
    assert (
        "no example"
        in (
            editor.ask(
                "workspace/executeCommand",
                {"command": "cambist.runExample", "arguments": [editor.uri("stall.rules"), "none such", 1, 2]},
            )["message"]
        )
    )
    assert editor.at("hover", "stall.rules", "price(s) from", 2) is not None


def test_a_shipped_game_in_another_folder(editor: Editor, tmp_path: Path) -> None:
    for path in (games_folder() / "money").iterdir():
        shutil.copy(path, tmp_path / path.name)
    uri = (tmp_path / "money.rules").as_uri()
    text = (tmp_path / "money.rules").read_text("utf-8")
    document = {"uri": uri, "languageId": "rules", "version": 1, "text": text}
    editor.tell("textDocument/didOpen", {"textDocument": document})
    found = editor.hear("textDocument/publishDiagnostics", lambda p: p["uri"] == uri)
    assert found["diagnostics"] == []
    editor.tell("textDocument/didClose", {"textDocument": {"uri": uri}})


def test_the_end(tmp_path: Path) -> None:
    polite = Editor(tmp_path)
    assert polite.end() == 0
    rude = Editor(tmp_path)
    rude.tell("exit")
    assert rude.process.wait(30) == 1
    gone = Editor(tmp_path, start=False)
    assert gone.process.stdin is not None
    gone.process.stdin.close()
    assert gone.process.wait(30) == 1
    for editor in (polite, rude, gone):
        editor.close()
        assert b"".join(editor.errors) == b""


def test_without_pygls_it_says_what_to_install(tmp_path: Path) -> None:
    hidden = "import sys; sys.modules['pygls'] = None; from cambist.cli import cli; cli(['lsp'])"
    done = subprocess.run([sys.executable, "-c", hidden], input="", capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 2
    assert "needs pygls" in done.stderr and "pip install 'cambist[editor]'" in done.stderr
