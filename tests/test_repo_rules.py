"""The repository's own laws. Each looks for what must not be; where it is easy, the test plants one and sees it found.

Exceptions stand in a list with a reason, and the list may only get shorter.
"""

from __future__ import annotations

import ast
import os
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest

import cambist
from cambist.dsl import nodes as n
from cambist.dsl import program as p
from cambist.dsl.finding import shipped
from cambist.dsl.messages import CODES
from cambist.interpreter.evaluate import FORMS
from cambist.interpreter.faults import EXPLANATIONS
from cambist.interpreter.steps import STEPS

ROOT = Path(__file__).parents[1]
CODE = ("app", "dsl", "interpreter")
MADE = {".git", ".venv", "build", "dist"}  # and all caches: what no person wrote
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))

RULEBOOKS = ("money", "buy_low_sell_high", "palmyra", "for_ex", "dividends", "venture", "riche_ou_pauvre", "die_bosse")
MOST_LINES = 600
LONGEST_WRITTEN = 100
FRACTIONS = {"dsl/messages/registry.py": "how alike two names must be for `did you mean`"}
WORKED_OUT = {"grammar_tables.py"}  # by a test from something else: nobody reads it
LONGER: dict[str, int] = {}  # path: its lines at most, until it is divided; may only get shorter


@cache
def _files(*folders: str, endings: tuple[str, ...] = (".py",)) -> list[Path]:
    found = []
    for folder in folders:
        for where, inside, names in os.walk(ROOT / folder):
            inside[:] = [name for name in inside if not _is_made(name)]
            found += [Path(where, name) for name in names if Path(name).suffix in endings]
    return sorted(found)


def _is_made(part: str) -> bool:
    return part in MADE or part.endswith((".egg-info", "_cache", "__pycache__")) or part == ".hypothesis"


def _shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name


# ---- no game's word and no mechanism's word in Python


def _listed(name: str) -> list[str]:
    lines = (ROOT / "tests" / "words" / f"{name}.txt").read_text("utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def _words_in(line: str) -> list[str]:
    """`buyOil`, `buy_oil` and `oil's` all hold the word `oil`; `boil` does not."""
    if any(len(part) > LONGEST_WRITTEN for part in line.split()):
        return []  # packed data: no person wrote it
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", line)
    return [word.lower() for word in re.findall(r"[A-Za-z]+", apart)]


def _uses(paths: list[Path], words: set[str]) -> list[str]:
    return [
        f"{_shown(path)}:{number}: {word}"
        for path in paths
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        for word in _words_in(line)
        if word in words
    ]


@pytest.mark.parametrize("name", (*RULEBOOKS, "mechanisms"))
def test_no_word_of_a_game_or_a_mechanism_in_python(name: str) -> None:
    assert _uses(_files(*CODE), set(_listed(name))) == []


@pytest.mark.parametrize("name", (*RULEBOOKS, "mechanisms"))
def test_the_word_lists_are_lists_of_words(name: str) -> None:
    words = _listed(name)
    assert len(words) >= 15 and words == sorted(set(words))
    assert all(re.fullmatch("[a-z]+", word) for word in words)


def test_every_shipped_game_has_a_word_list() -> None:
    assert set(shipped()) <= set(RULEBOOKS)
    assert {path.stem for path in (ROOT / "tests" / "words").glob("*.txt")} == {*RULEBOOKS, "mechanisms"}


@pytest.mark.parametrize(
    "planted",
    [
        "price_of_oil = 3",
        "class OilPrice: ...",
        "# the Krona",
        '"""two euros."""',
        "def pay_tax_now(): ...",
        "AUCTION = 1",
        "x.loan()",
    ],
)
def test_a_planted_word_is_found(planted: str, tmp_path: Path) -> None:
    words = {word for name in (*RULEBOOKS, "mechanisms") for word in _listed(name)}
    copy = tmp_path / "machine.py"
    text = (ROOT / "interpreter" / "machine.py").read_text("utf-8")
    copy.write_text(text, "utf-8")
    before = _uses([copy], words)
    copy.write_text(f"{text}\n{planted}\n", "utf-8")
    assert len(_uses([copy], words)) == len(before) + 1


def test_a_word_inside_a_word_is_none(tmp_path: Path) -> None:
    copy = tmp_path / "fine.py"
    copy.write_text("boil = 1\nsyntax = 2\nneuro = taxi = technical = 3\n", "utf-8")
    assert _uses([copy], {"oil", "tax", "euro", "tech"}) == []


# ---- codes


@cache
def _names_used(*paths: Path) -> set[str]:
    """Every name that is read or reached by a dot."""
    found = set()
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Attribute):
                found.add(node.attr)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                found.add(node.id)
    return found


def _codes_written(paths: list[Path]) -> set[str]:
    return {
        code
        for path in paths
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        for code in re.findall(r"\b[EWR]0\d{3}\b", node.value)
    }


@pytest.mark.parametrize("code", CODES)
def test_every_message_is_said_somewhere(code: str) -> None:
    function = CODES[code].name.replace("-", "_")
    assert function in _names_used(*_files(*CODE)), f"{code}: `{function}` is never called"


def test_every_fault_is_raised_somewhere() -> None:
    tree = ast.parse((ROOT / "interpreter" / "faults.py").read_text("utf-8"))
    makers = {
        node.name: codes
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and (codes := set(re.findall(r"R0\d{3}", ast.unparse(node))))
    }
    used = _names_used(*(path for path in _files(*CODE) if path.name != "faults.py"))
    assert [name for name in makers if name not in used] == []
    assert set().union(*makers.values()) == set(EXPLANATIONS)


def test_every_code_that_is_written_exists() -> None:
    assert _codes_written(_files(*CODE, "tests")) - set(CODES) - set(EXPLANATIONS) <= {"E0999"}


def test_codes_stand_in_their_hundred() -> None:
    assert all(re.fullmatch(r"E0[0-4]\d\d|W05\d\d", code) for code in CODES)
    assert all(re.fullmatch(r"R01\d\d", code) for code in EXPLANATIONS)


# ---- every form is handled


def test_every_instruction_has_a_step_and_every_expression_a_function() -> None:
    assert set(get_args(p.Instr)) == set(STEPS)
    assert set(get_args(p.Expr)) == set(FORMS)


def _names_of(union: Any) -> set[str]:
    return {one.__name__ for one in get_args(union)}


@pytest.mark.parametrize("stage", ("infer", "lower"))
def test_every_statement_is_known_to_every_stage(stage: str) -> None:
    text = "\n".join(path.read_text("utf-8") for path in (ROOT / "dsl").glob(f"{stage}*.py"))
    assert _names_of(n.Stmt) and sorted(name for name in _names_of(n.Stmt) if f"n.{name}" not in text) == []


# ---- what documents say


def _paths_written(path: Path) -> Iterator[str]:
    """Targets of links, and code spans that begin like a path of this repository."""
    text = re.sub(r"(?ms)^```.*?^```", "", path.read_text("utf-8"))
    for target in re.findall(r"\]\(([^)#\s]+)", text):
        if "://" not in target:
            yield target
    top = {entry.name for entry in ROOT.iterdir()}
    for span in re.findall(r"`([^`\n]+)`", text):
        looks_like_one = re.fullmatch(r"[\w.\-]+(/[\w.\-]+)+/?|[A-Z]+\.md|[\w\-]+\.toml", span)
        if looks_like_one and (span.split("/")[0] in top or "/" not in span):
            yield span


def _missing(path: Path) -> list[str]:
    return [
        f"{_shown(path)}: {written}"
        for written in _paths_written(path)
        if not (path.parent / written).exists() and not (ROOT / written).exists()
    ]


def _documents() -> list[Path]:
    return [*sorted(ROOT.glob("*.md")), *_files("dsl", "docs", "games", "examples", "tests", endings=(".md",))]


def test_every_path_in_a_document_exists() -> None:
    assert [missing for path in _documents() for missing in _missing(path)] == []


def test_a_path_that_is_gone_is_found(tmp_path: Path) -> None:
    copy = tmp_path / "README.md"
    copy.write_text(
        "See [this](dsl/gone.md), `dsl/nowhere.py` and `dsl/api.py`; `p.hand` and `a/b` are none.\n", "utf-8"
    )
    assert _missing(copy) == ["README.md: dsl/gone.md", "README.md: dsl/nowhere.py"]


# ---- packages


def test_the_listed_packages_are_those_there_are() -> None:
    places: dict[str, str] = PROJECT["tool"]["setuptools"]["package-dir"]
    found = set()
    for package, folder in places.items():
        for path in _files(folder):
            if path.name == "__init__.py":
                inside = path.parent.relative_to(ROOT / folder).parts
                found.add(".".join((package, *inside)))
    assert found == set(PROJECT["tool"]["setuptools"]["packages"])
    assert len(PROJECT["tool"]["setuptools"]["packages"]) == len(found)


def test_every_folder_with_python_is_a_package() -> None:
    lonely = {_shown(path.parent) for path in _files(*CODE) if not (path.parent / "__init__.py").exists()}
    assert lonely == set()


def test_no_module_is_named_like_one_of_the_standard_library() -> None:
    named = [_shown(path) for path in _files(*CODE, "benchmarks", "examples") if path.stem in sys.stdlib_module_names]
    assert named == []


def test_games_and_schemas_hold_no_python() -> None:
    assert [_shown(path) for path in _files("games", "schemas")] == ["games/__init__.py", "schemas/__init__.py"]
    for path in _files("games", "schemas"):
        body = ast.parse(path.read_text("utf-8")).body
        assert all(isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) for node in body)


def test_the_dependency_rule_is_written_down() -> None:
    contracts = {contract["id"]: contract for contract in PROJECT["tool"]["importlinter"]["contracts"]}
    assert {
        "border-dsl",
        "border-interpreter",
        "data-only",
        "layers-dsl",
        "layers-interpreter",
        "lark",
        "cattrs",
    } <= set(contracts)
    assert "lint-imports" in (ROOT / "Makefile").read_text("utf-8")


NO_FLOOR: dict[str, set[str]] = {  # modules without a floor of their own; this list may only get shorter
    "dsl": set(),
    "interpreter": set(),
}


def test_every_module_has_a_floor() -> None:
    """A file that no layer names is bound by no rule."""
    contracts = {contract["id"]: contract for contract in PROJECT["tool"]["importlinter"]["contracts"]}
    for name in ("dsl", "interpreter"):
        floors = set(re.findall(r"\w+", " ".join(contracts[f"layers-{name}"]["layers"])))
        entries = {e.stem for e in (ROOT / name).iterdir() if e.suffix == ".py" or (e / "__init__.py").exists()}
        assert sorted(entries - floors - {"__init__"} - NO_FLOOR[name]) == []
        assert sorted(NO_FLOOR[name] - entries) == [], "take these out of the list"


def test_nothing_imports_the_tests() -> None:
    for path in _files(*CODE, "benchmarks", "examples"):
        assert not re.search(r"(?m)^\s*(from|import) tests\b", path.read_text("utf-8")), _shown(path)


def test_the_interpreter_and_the_language_know_no_clock_no_dice_and_no_float() -> None:
    wrong = []
    for path in _files("dsl", "interpreter"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            told = {"random"} if _shown(path) == "interpreter/chance.py" else set()  # the bits of players at random
            wrong += [
                f"{_shown(path)} imports {name}"
                for name in names
                if name in {"random", "time", "datetime", "secrets"} - told
            ]
            if isinstance(node, ast.Constant) and isinstance(node.value, float) and _shown(path) not in FRACTIONS:
                wrong.append(f"{_shown(path)}:{node.lineno} has {node.value}")
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "float":
                wrong.append(f"{_shown(path)}:{node.lineno} makes a float")
    assert wrong == []


# ---- sizes


def test_no_file_is_too_long() -> None:
    paths = _files(*CODE, "games", "examples", "tests", "benchmarks", endings=(".py", ".rules", ".lark"))
    written = [path for path in paths if path.name not in WORKED_OUT]
    lines = {_shown(path): len(path.read_bytes().splitlines()) for path in written}  # some are no text, on purpose
    assert {path: count for path, count in lines.items() if count > LONGER.get(path, MOST_LINES)} == {}
    assert [path for path in LONGER if lines.get(path, 0) <= MOST_LINES] == [], "take these out of the list"


# ---- games


@pytest.mark.parametrize("name", shipped())
def test_every_game_has_a_readme_and_playthroughs(name: str) -> None:
    readme = shipped()[name].parent / "README.md"
    assert readme.exists() and len(readme.read_text("utf-8").split()) > 50
    for players in cambist.load(name).players:
        assert list((ROOT / "tests" / "playthroughs" / name).glob(f"{players}p_seed*.txt"))


def test_no_playthrough_is_of_a_game_that_is_gone() -> None:
    folders = {path.parent.name for path in (ROOT / "tests" / "playthroughs").glob("*/*.txt")}
    assert folders == set(shipped())


# ---- nothing personal, nothing from elsewhere

PERSONAL = re.compile(r"(?<![\w.\-<])/(?:" + "|".join(("home", "root", "work", "opt", "Users")) + r")(?![\w\-])")
HOSTS = re.compile("|".join(map("".join, (("py", r"pi\."), ("python", "hosted"), ("index", "-url"), ("npm", r"js\.")))))
TEXT = (".py", ".rules", ".lark", ".md", ".toml", ".yaml", ".json", ".txt", "", ".yml", ".cfg")


def _written(pattern: re.Pattern[str], paths: list[Path]) -> list[str]:
    return [
        f"{_shown(path)}:{number}: {line.strip()[:80]}"
        for path in paths
        for number, line in enumerate(path.read_text("utf-8", errors="replace").splitlines(), 1)
        if pattern.search(line)
    ]


def _everything() -> list[Path]:
    found = [path for path in _files(".", endings=TEXT) if not path.name.startswith(".coverage")]  # left by a run
    return [path for path in found if path.stat().st_size < 2_000_000]


def test_no_path_of_somebodys_computer() -> None:
    assert _written(PERSONAL, _everything()) == []


def test_no_host_of_packages() -> None:
    assert _written(HOSTS, _everything()) == []


def test_a_planted_path_is_found(tmp_path: Path) -> None:
    copy = tmp_path / "notes.md"
    planted = ["see " + "/" + "home/ann/x", "in " + "/" + "work.", "a/b/c, n/home, /homes"]
    copy.write_text("\n".join(planted), "utf-8")
    assert len(_written(PERSONAL, [copy])) == 2


def test_requirements_are_names_and_versions() -> None:
    lines = [
        line
        for line in (ROOT / "requirements.txt").read_text("utf-8").splitlines()
        if line and not line.startswith("#")
    ]
    assert lines and [line for line in lines if not re.fullmatch(r"[A-Za-z0-9_.\-]+==[\w.]+", line)] == []
