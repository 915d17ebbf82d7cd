"""The extension for Visual Studio Code: its archive, its manifest, and a grammar that knows every word."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import pytest

from cambist import __version__
from cambist.dsl.diagnostics import Report
from cambist.dsl.finding import library_folder, shipped
from cambist.dsl.source import SourceFile
from cambist.dsl.tokens import tokenize
from cambist.dsl.words import (
    AFTER_COMMA,
    CLAUSE,
    CONDITIONS,
    CONNECTING,
    DECLARATION,
    FACT,
    HEAD,
    NOTES,
    PAIRS,
    STATEMENT,
)

ROOT = Path(__file__).parent.parent.parent
FOLDER = ROOT / "editors" / "vscode"
NOT_WORDS = frozenset(
    "NAME INT DECIMAL STRING NOTE _NL _INDENT _DEDENT LPAR RPAR LSQB RSQB LBRACE RBRACE COMMA COLON SEMICOLON DOT"
    " DOTDOT PARAGRAPH EQUAL NOTEQUAL LESS LESSEQ MORE MOREEQ PLUS MINUS STAR SLASH".split()
)


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"vscode_{name}", FOLDER / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def scopes(patterns: list[dict[str, Any]], line: str) -> Iterator[tuple[int, int, str]]:
    """What an editor does with such a grammar: at each place the pattern that matches first, the first of equals."""
    at = 0
    while at <= len(line):
        found = [(m.start(), i, m, p) for i, p in enumerate(patterns) if (m := p["compiled"].search(line, at))]
        if not found:
            return
        _, _, match, pattern = min(found, key=lambda one: one[:2])
        if "name" in pattern:
            yield (*match.span(), pattern["name"])
        for number, capture in pattern.get("captures", {}).items():
            if match.group(int(number)) is not None:
                yield (*match.span(int(number)), capture["name"])
        at = max(match.end(), at + 1)


@pytest.fixture(scope="module")
def patterns() -> list[dict[str, Any]]:
    found = json.loads((FOLDER / "syntaxes/rules.tmLanguage.json").read_text("utf-8"))["patterns"]
    return [{**p, "compiled": re.compile(p["match"])} for p in found]


def test_the_grammar_is_made_of_the_words_of_the_language(golden: Callable[[Path, str], None]) -> None:
    made = script("grammar").text()
    golden(FOLDER / "syntaxes/rules.tmLanguage.json", made)
    words = DECLARATION | STATEMENT | CLAUSE | CONDITIONS | HEAD | FACT | CONNECTING | NOTES
    words |= {word for pair in (*PAIRS, *AFTER_COMMA) for word in pair}
    assert {word for word in words if not re.search(rf"\b{word}\b", made)} == set()


@pytest.mark.parametrize("path", [*shipped().values(), *library_folder().glob("*.rules")], ids=lambda path: path.stem)
def test_every_keyword_of_shipped_rules_is_coloured_as_one(path: Path, patterns: list[dict[str, Any]]) -> None:
    file = SourceFile(path.name, path.read_text("utf-8"))
    coloured = set()
    for number, start in enumerate(file.starts, 1):
        for first, end, name in scopes(patterns, file.line_text(number)):
            if name.startswith(("keyword", "constant.language")):
                coloured |= set(range(start + first, start + end))
    missing = []
    for token in tokenize(file, Report()):
        if token.type not in NOT_WORDS and token.value:
            begin = (token.start_pos or 0) + (len(token.value) - len(token.value.lstrip(", ")))
            if begin not in coloured:
                missing.append((file.line_of(begin), str(token.value)))
    assert missing == []


def test_the_archive_is_one_that_the_editor_takes(tmp_path: Path) -> None:
    build = script("build")
    one, two = build.build(tmp_path / "one"), build.build(tmp_path / "two")
    assert one.read_bytes() == two.read_bytes()
    with zipfile.ZipFile(one) as archive:
        assert archive.testzip() is None
        names = set(archive.namelist())
        texts = {name: archive.read(name).decode("utf-8") for name in names}
    types = ElementTree.fromstring(texts["[Content_Types].xml"])
    known = {one.attrib["Extension"] for one in types}
    assert {Path(name).suffix for name in names if not name.startswith("[")} <= known
    manifest = ElementTree.fromstring(texts["extension.vsixmanifest"])
    space = {"v": "http://schemas.microsoft.com/developer/vsx-schema/2011"}
    package = json.loads(texts["extension/package.json"])
    identity = manifest.find("v:Metadata/v:Identity", space)
    assert identity is not None
    assert (identity.attrib["Id"], identity.attrib["Version"], identity.attrib["Publisher"]) == (
        package["name"],
        package["version"],
        package["publisher"],
    )
    assert {asset.attrib["Path"] for asset in manifest.findall("v:Assets/v:Asset", space)} <= names
    engine = next(
        p.attrib["Value"]
        for p in manifest.findall("v:Metadata/v:Properties/v:Property", space)
        if p.attrib["Id"].endswith("Code.Engine")
    )
    assert engine == package["engines"]["vscode"]
    assert package["version"] == __version__


def test_the_package_names_only_what_is_in_the_archive() -> None:
    package = json.loads((FOLDER / "package.json").read_text("utf-8"))
    contributed = package["contributes"]
    named = [package["main"], *(g["path"] for g in contributed["grammars"])]
    named += [language["configuration"] for language in contributed["languages"]]
    build = script("build")
    assert {str(Path(name)) for name in named} <= set(build.FILES)
    required = re.findall(
        r'require\("([^"]+)"\)', "".join((FOLDER / f).read_text("utf-8") for f in build.FILES if f.endswith(".js"))
    )
    assert set(required) <= {"vscode", "fs", "path", "child_process", "./client"}  # no packages, no build
    assert contributed["languages"][0]["extensions"] == [".rules"]
    code = (FOLDER / "extension.js").read_text("utf-8")
    assert {c["command"] for c in contributed["commands"]} <= set(re.findall(r'registerCommand\("([^"]+)"', code))
    for name in contributed["configuration"]["properties"]:
        assert f'"{name.removeprefix("cambist.")}"' in code, f"nobody reads the setting {name}"
    for language in contributed["languages"]:
        told = json.loads((FOLDER / language["configuration"]).read_text("utf-8"))
        assert told["comments"]["lineComment"] == "#"
        re.compile(told["indentationRules"]["increaseIndentPattern"])


def test_make_builds_it(tmp_path: Path) -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert re.search(r"^vsix: .*\n\t.*editors/vscode/build\.py", makefile, re.MULTILINE)
    done = subprocess.run(
        [str(ROOT / ".venv/bin/python"), str(FOLDER / "build.py"), str(tmp_path)], capture_output=True, text=True
    )
    assert done.returncode == 0 and Path(done.stdout.strip()).is_file()
