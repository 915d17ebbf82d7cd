"""What is offered at a place: what an author has written there is always among it, and what is offered is right."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cambist.dsl.accepting import MARK, here
from cambist.dsl.api import check_text
from cambist.dsl.build import build
from cambist.dsl.diagnostics import Report
from cambist.dsl.disk import Kept
from cambist.dsl.finding import library_folder, shipped
from cambist.dsl.snippets import DECLARATIONS, HEADS, STATEMENTS, filled_in
from cambist.dsl.source import SourceFile
from cambist.dsl.suggest import suggest
from cambist.dsl.tokens import tokenize
from cambist.editor.documents import Documents
from tests.harness.fragments import whole


@pytest.mark.parametrize(("path", "every"), [(shipped()["money"], 90), (library_folder() / "ladder.rules", 30)])
def test_what_an_author_wrote_is_offered(path: Path, every: int) -> None:
    """Each name in turn is taken out, with all that follows on its line, as when the line is being typed."""
    known = Documents().known(path)
    text = known.file.text
    names = []
    for token in tokenize(known.file, Report()):
        use = known.index.at(known.file.name, token.start_pos or 0)
        if token.type == "NAME" and use is not None and use.span != use.definition.span:
            names.append(token)
    missing = []
    for token in names[::every]:
        start = token.start_pos or 0
        end = text.index("\n", start)
        kept = Kept()
        kept.texts[path.resolve()] = text[:start] + text[end:]
        offered = {s.text for s in suggest(path, kept, start)}
        if str(token.value) not in offered:
            missing.append((known.file.line_of(start), str(token.value)))
    assert missing == []


@pytest.mark.parametrize("name", DECLARATIONS)
def test_snippets_of_declarations_are_right_as_they_stand(name: str) -> None:
    fragment = filled_in(DECLARATIONS[name])
    report = check_text(whole(fragment).text, "snippet.rules")[1]
    assert [d.message for d in report.sorted() if d.severity == "error" and "never runs" not in d.message] == []
    assert MARK not in fragment and "$" not in fragment


@pytest.mark.parametrize("name", STATEMENTS)
def test_snippets_of_statements_are_right_as_they_stand(name: str) -> None:
    body = filled_in(STATEMENTS[name]).replace("\n", "\n  ")
    if "some of" in body:
        body += "\n    move cards to shelf"
    taken = "" if " p\n" in body or " p:" in body else "(p)"  # unless it makes a p of its own
    report = check_text(whole(f'procedure trying{taken}   cites R"Play"\n  {body}').text, "snippet.rules")[1]
    wrong = [d.message for d in report.sorted() if d.severity == "error"]
    assert [m for m in wrong if "never" not in m and "end" not in m] == [], body


def test_snippets_of_heads_parse() -> None:
    for name, snippet in HEADS.items():
        report = check_text(filled_in(snippet), "snippet.rules")[1]
        assert not [d for d in report.sorted() if d.code.startswith("E00")], (name, report.sorted())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("zone x: pile, ", {"seen by", "count hidden", "until revealed", "at most"}),
        ("winner most score, ", {"then most", "then least", "ties shared"}),
        ('example "x"\n  ', {"given", "when", "then", "refused"}),
        ("play\n  tentatively\n    nothing\n  ", {"otherwise", "move", "each"}),
        ("play\n  wrong line here\n  each p ", {"in", "where"}),
        ("define x = 7 ", {"if", "or", "and"}),
    ],
)
def test_words_by_place(text: str, words: set[str]) -> None:
    found = here(text, len(text))
    assert found is not None and words <= set(found.words)


@pytest.mark.parametrize("text", ["# a comm", 'example "a tit', 'define x = 3  cites R"Pl', "define x = 3 # so"])
def test_no_words_in_texts_and_comments(text: str) -> None:
    found = here(text, len(text))
    assert found is None or not found.words


LINES = (
    "move n from box to p.hand",
    "transfer n from p.cash to bank",
    "let x = sum of c.value for c in p.hand",
    "if n > 2 and box is not empty: add 1 to n",
    "each c in p.hand where c is chip red: move c to shelf",
)


@pytest.mark.parametrize("line", LINES)
def test_every_ending_really_ends_its_line(line: str) -> None:
    """Cut before any word: with a name and the proposed end the line parses."""
    before = 'procedure trying(p, n)   cites R"Play"\n  '
    tried = 0
    for word in re.finditer(r"\w+", line):
        begun = before + line[: word.start()]
        place = here(begun, len(begun))
        if place is not None and place.ending is not None:
            tried += 1
            report = Report()
            build(SourceFile("x.rules", f"{begun}{MARK} {place.ending}\n"), report)
            assert [d.message for d in report.items] == [], place.ending
    assert tried > 3
