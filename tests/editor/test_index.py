"""The index of names: every name of every shipped file is known, and leads to where it was made."""

from __future__ import annotations

from pathlib import Path

import pytest

from cambist.dsl.diagnostics import Report
from cambist.dsl.finding import library_folder, shipped
from cambist.dsl.infer_declarations import ORDERS
from cambist.dsl.symbols import BUILT_IN_FUNCTIONS, BUILT_IN_VALUES
from cambist.dsl.tokens import tokenize
from cambist.editor.documents import Documents

# Words that no rule makes: of the language where it takes names, and states of a running game.
WORDS = {*BUILT_IN_VALUES, *BUILT_IN_FUNCTIONS, *ORDERS}
WORDS |= set("language sections rule step number flag list player card zone owner empty before enters leaves".split())
WORDS |= set("asked over winner game first".split())


@pytest.mark.parametrize("path", [*shipped().values(), *library_folder().glob("*.rules")], ids=lambda path: path.stem)
def test_every_name_leads_somewhere(path: Path) -> None:
    known = Documents().known(path)
    index, file = known.index, known.file
    renamed = {new.text for _, new in known.tree.variant.renames} if known.tree.variant is not None else set()
    lost = []
    for token in tokenize(file, Report()):
        if token.type != "NAME" or str(token.value) in WORDS or str(token.value) == "language":
            continue
        use = index.at(file.name, token.start_pos or 0)
        line = file.line_of(token.start_pos or 0)
        if use is None:
            lost.append((line, str(token.value)))
            continue
        there = use.definition.span
        assert known.place_of(there) is not None
        same = there.text == token.value or str(token.value) in renamed
        bound = use.definition.name == token.value  # what a module needs is called by what it was given
        base = known.tree.variant is not None and use.definition.written in {
            old.text for old, _ in known.tree.variant.renames
        }
        assert same or bound or base or use.definition.what == "library", (line, str(token.value), str(there))
    languages = {source.language for source in index.game.sources}
    answers = {name for _, name in lost} - languages
    assert answers <= {"left", "right", "up", "down"}, lost  # words of answers that are no names


def test_where_a_name_is_made_it_is_also_used_or_new() -> None:
    known = Documents().known(shipped()["money"])
    for use in known.index.uses:
        if use.span == use.definition.span:
            assert use in known.index.of(use.definition)
    kinds = {d.name: [str(k) for k in d.kinds] for d in known.index.definitions.values() if not d.local}
    assert kinds["triplets"] == ["a number"] and kinds["hand"] == ["a zone"]
    assert kinds["value"] == ["a number"] and kinds["bidders"] == ["several players"]


def test_a_file_that_cannot_be_gathered_has_an_index_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "lonely.rules"
    path.write_text(
        'variant lonely of nowhere "Lonely"\n\nadd define twice(n) = n + n\nadd define four = twice(2)\n', "utf-8"
    )
    known = Documents().known(path)
    assert [d.code for d in known.diagnostics]
    use = known.index.at("lonely.rules", known.file.text.index("twice(2)"))
    assert use is not None and use.definition.span.line == 3
