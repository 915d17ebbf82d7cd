"""Files that want to do harm: to hang the reader, to fill its memory, to read what is not theirs. Made, not kept.

`FILES` has for each the function that writes it into a folder and gives the name to load, and the code it ends with:
E for what is refused before a game begins, R for what is stopped while it runs.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from attrs import frozen

HEAD = 'game hostile "Hostile"\n  players 2..4\n'
TAIL = "score p = 0\nwinner most score, ties shared\n"
PLAY = "play\n  nothing\n"
CARDS = "card grain: number_on: number\n"


@frozen
class Hostile:
    name: str
    code: str
    write: Callable[[Path], str]

    def __str__(self) -> str:
        return self.name


FILES: list[Hostile] = []


def hostile(code: str) -> Callable[[Callable[[Path], str]], Callable[[Path], str]]:
    def register(write: Callable[[Path], str]) -> Callable[[Path], str]:
        FILES.append(Hostile(write.__name__, code, write))
        return write

    return register


def rules(folder: Path, body: str, play: str = PLAY) -> str:
    path = folder / "hostile.rules"
    path.write_text(HEAD + body + play + TAIL, "utf-8")
    return str(path)


def loop(*lines: str) -> str:
    return "play\n" + "".join(f"  {line}\n" for line in lines)


# ---- text


@hostile("E0004")
def brackets(folder: Path) -> str:
    return rules(folder, f"define deep = {'(' * 900}1{')' * 900}\n")


@hostile("E0004")
def brackets_over_many_lines(folder: Path) -> str:
    return rules(folder, "define deep =\n" + "  (\n" * 60_000)


@hostile("E0004")
def square_brackets(folder: Path) -> str:
    return rules(folder, f"define deep = {'[' * 65}1{']' * 65}\n")


@hostile("E0004")
def blocks(folder: Path) -> str:
    lines = [" " * (i + 2) + "if 1 = 1\n" for i in range(600)]
    return rules(folder, "", "play\n" + "".join(lines) + " " * 602 + "nothing\n")


@hostile("E0004")
def operators(folder: Path) -> str:
    return rules(folder, f"define long = {' + '.join('1' * 190)}\n")


@hostile("E0004")
def negations(folder: Path) -> str:
    return rules(folder, f"define long = {'not ' * 200} 1 = 1\n")


@hostile("E0004")
def dots(folder: Path) -> str:
    return rules(folder, f"define long(p) = p{'.p' * 150}\n")


@hostile("E0004")
def conditionals(folder: Path) -> str:
    return rules(folder, f"define long = {'1 if 1 = 1 else ' * 66} 2\n")


@hostile("E0003")
def hundred_thousand_terms(folder: Path) -> str:
    return rules(folder, "define long = 1\n" + ("  " + "+1" * 999 + "\n") * 100)


@hostile("E0003")
def long_line(folder: Path) -> str:
    return rules(folder, f"# {'x' * 1_000}\ndefine long = {'1' * 1_990}\n# {'y' * 3_000}\n")


@hostile("E0003")
def long_name(folder: Path) -> str:
    return rules(folder, f"zone {'z' * 65}: row, seen by all\n")


@hostile("E0003")
def long_text(folder: Path) -> str:
    return rules(folder, f'example "{"t" * 1_500}"\n  then 1 = 1\n')


@hostile("E0003")
def huge_number(folder: Path) -> str:
    return rules(folder, f"variable huge: number = {'9' * 1_900}\n")


@hostile("E0002")
def line_of_ten_megabytes(folder: Path) -> str:
    return rules(folder, "# " + "x" * 10_000_000)


@hostile("E0002")
def file_of_ten_megabytes(folder: Path) -> str:
    return rules(folder, "zone tray: row, seen by all\n" * 360_000)


@hostile("E0011")
def empty(folder: Path) -> str:
    (folder / "empty.rules").write_bytes(b"")
    return str(folder / "empty.rules")


@hostile("E0011")
def blank(folder: Path) -> str:
    (folder / "blank.rules").write_bytes(b" \n\n   \r\n" * 10_000)
    return str(folder / "blank.rules")


@hostile("E0001")
def binary(folder: Path) -> str:
    (folder / "binary.rules").write_bytes(bytes(range(256)) * 100)
    return str(folder / "binary.rules")


@hostile("E0001")
def nul(folder: Path) -> str:
    return rules(folder, "zone tr\0ay: row, seen by all\n")


@hostile("E0001")
def bidirectional_override(folder: Path) -> str:
    return rules(folder, 'phase pay # \u202e"yaw rehto eht" \u2066\n  nothing\n')


@hostile("E0001")
def terminal_escape(folder: Path) -> str:
    return rules(folder, "# \x1b[2J\x1b]0;owned\x07\n")


@hostile("E0101")
def thousands_of_mistakes(folder: Path) -> str:
    defines = "".join(f"define thing_{i} = thong_{i * 7} + 1\n" for i in range(2_500))
    return rules(folder, defines)


@hostile("E0009")
def thousands_of_wrong_lines(folder: Path) -> str:
    return rules(folder, "", "play\n" + "  each each each\n" * 8_000)


# ---- names and numbers


@hostile("E0110")
def recursion(folder: Path) -> str:
    return rules(folder, "procedure again(n)\n  again(n + 1)\n", loop("again(1)"))


@hostile("E0110")
def recursion_of_many(folder: Path) -> str:
    body = "".join(f"define f{i}(n) = f{(i + 1) % 30}(n)\n" for i in range(30))
    return rules(folder, body, loop("let x = f0(1)"))


@hostile("E0004")
def calls(folder: Path) -> str:
    body = "".join(f"define f{i}(n) = f{i + 1}(n) + 1\n" for i in range(200)) + "define f200(n) = n\n"
    return rules(folder, body, loop("let x = f0(1)"))


@hostile("E0113")
def players(folder: Path) -> str:
    path = folder / "crowd.rules"
    path.write_text(HEAD.replace("2..4", "2..10000") + PLAY + TAIL)
    return str(path)


@hostile("E0114")
def components(folder: Path) -> str:
    return rules(folder, CARDS + "deck sand of grain\n  99999 grain 1\n")


@hostile("E0114")
def components_without_number(folder: Path) -> str:
    return rules(folder, CARDS + "deck sand of grain\n  999999999999999999 grain 1\n")


@hostile("E0114")
def every_combination(folder: Path) -> str:
    members = ", ".join(f"m{i}" for i in range(90))
    fields = ", ".join(f"f{i}: kind" for i in range(12))
    body = f"enum kind: {members}\ncard thing: {fields}\ndeck things of thing\n  1 thing {'each ' * 12}\n"
    return rules(folder, body)


@hostile("E0114")
def places(folder: Path) -> str:
    body = CARDS + "deck sand of grain\n  200 grain 1\nvariable near: flag of each card, card = no\n"
    return rules(folder, body, loop("each c in sand: set c.near(c) to yes"))


@hostile("E0313")
def table_keys(folder: Path) -> str:
    return rules(folder, "table far: 999999999999999999: 1\n")


# ---- files


@hostile("E0106")
def uses_itself(folder: Path) -> str:
    (folder / "ouroboros.rules").write_text('library ouroboros "Itself"\n  players 2..4\nuse ouroboros\n')
    return str(folder / "ouroboros.rules")


@hostile("E0106")
def two_use_each_other(folder: Path) -> str:
    (folder / "hen.rules").write_text('library hen "Hen"\n  players 2..4\nuse egg\n')
    (folder / "egg.rules").write_text('library egg "Egg"\n  players 2..4\nuse hen\n')
    return rules(folder, "use hen\n")


@hostile("E0114")
def a_hundred_modules(folder: Path) -> str:
    for i in range(100):
        (folder / f"m{i}.rules").write_text(f'library m{i} "Link"\n  players 2..4\nuse m{i + 1}\n')
    (folder / "m100.rules").write_text('library m100 "Last"\n  players 2..4\n')
    return rules(folder, "use m0\n")


@hostile("E0114")
def modules_by_doubling(folder: Path) -> str:
    for i in range(20):
        text = f'library d{i} "Twice"\n  players 2..4\nuse e{i + 1}\nuse d{i + 1}\n'
        (folder / f"d{i}.rules").write_text(text)
        (folder / f"e{i}.rules").write_text(text.replace(f"library d{i}", f"library e{i}"))
    for name in ("d20", "e20"):
        (folder / f"{name}.rules").write_text(f'library {name} "Last"\n  players 2..4\n')
    return rules(folder, "use d0\n")


@hostile("E0015")
def missing_file(folder: Path) -> str:
    return str(folder / "nowhere.rules")


@hostile("E0015")
def missing_game(folder: Path) -> str:
    return "monney"


@hostile("E0015")
def a_folder(folder: Path) -> str:
    (folder / "folder.rules").mkdir()
    return str(folder / "folder.rules")


@hostile("E0015")
def a_name_with_a_nul(folder: Path) -> str:
    return str(folder / "no\0thing.rules")


@hostile("E0015")
def a_name_too_long(folder: Path) -> str:
    return str(folder / ("n" * 5_000 + ".rules"))


@hostile("E0015")
def a_sheet_outside(folder: Path) -> str:
    (folder / "outside.yaml").write_text("sheet: 1\ncards:\n  - {card: grain, number_on: 1}\n")
    (folder / "inside").mkdir()
    return rules(folder / "inside", CARDS + 'deck sand of grain from "../outside.yaml"\n')


@hostile("E0015")
def a_sheet_by_its_full_name(folder: Path) -> str:
    return rules(folder, CARDS + 'deck sand of grain from "/etc/passwd"\n')


@hostile("E0015")
def a_link_to_the_outside(folder: Path) -> str:
    (folder / "outside.yaml").write_text("sheet: 1\ncards:\n  - {card: grain, number_on: 1}\n")
    (folder / "inside").mkdir()
    (folder / "inside" / "cards.yaml").symlink_to(folder / "outside.yaml")
    return rules(folder / "inside", CARDS + 'deck sand of grain from "cards.yaml"\n')


@hostile("E0015")
def a_link_to_itself(folder: Path) -> str:
    (folder / "round.yaml").symlink_to(folder / "round.yaml")
    return rules(folder, CARDS + 'deck sand of grain from "round.yaml"\n')


@hostile("E0105")
def a_module_by_a_link(folder: Path) -> str:
    (folder / "outside.rules").write_text('library outside "Outside"\n  players 2..4\n')
    (folder / "inside").mkdir()
    (folder / "inside" / "outside.rules").symlink_to(folder / "outside.rules")
    return rules(folder / "inside", "use outside\n")


# ---- sheets


def sheet(folder: Path, text: str) -> str:
    (folder / "cards.yaml").write_text(text, "utf-8")
    return rules(folder, CARDS + 'deck sand of grain from "cards.yaml"\n')


@hostile("E0107")
def sheet_with_aliases(folder: Path) -> str:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 10)]
    return sheet(folder, "sheet: 1\ncards: []\n" + "\n".join(lines) + "\n")


@hostile("E0107")
def sheet_that_holds_itself(folder: Path) -> str:
    return sheet(folder, "sheet: 1\ncards: &a [*a]\n")


@hostile("E0107")
def sheet_with_tags(folder: Path) -> str:
    return sheet(folder, 'sheet: 1\ncards: !!python/object/apply:os.system ["echo owned"]\n')


@hostile("E0107")
def sheet_twenty_thousand_deep(folder: Path) -> str:
    return sheet(folder, "sheet: 1\ncards: " + "[" * 20_000 + "]" * 20_000 + "\n")


@hostile("E0107")
def sheet_of_blocks(folder: Path) -> str:
    return sheet(folder, "".join(" " * i + f"k{i}:\n" for i in range(600)))


@hostile("E0107")
def sheet_with_floats(folder: Path) -> str:
    return sheet(folder, "sheet: 1\ncards:\n  - {card: grain, number_on: 1e400}\n")


@hostile("E0107")
def sheet_with_a_huge_number(folder: Path) -> str:
    return sheet(folder, f"sheet: 1\ncards:\n  - {{card: grain, number_on: {'7' * 5_000}}}\n")


@hostile("E0107")
def sheet_with_a_key_twice(folder: Path) -> str:
    return sheet(folder, "sheet: 1\ncards:\n  - {card: grain, number_on: 1, number_on: 2}\n")


@hostile("E0107")
def sheet_with_strange_keys(folder: Path) -> str:
    return sheet(folder, "sheet: 1\ncards:\n  - {card: grain, ? [1, 2] : 3, number_on: 1}\n")


@hostile("E0107")
def sheet_of_several_documents(folder: Path) -> str:
    return sheet(folder, "sheet: 1\ncards:\n  - {card: grain, number_on: 1}\n---\nsheet: 1\n")


@hostile("E0107")
def sheet_that_is_none(folder: Path) -> str:
    return sheet(folder, "{{{{ ]]]] :::: \n - - - \n\t%")


@hostile("E0107")
def sheet_of_a_quarter_megabyte(folder: Path) -> str:
    return sheet(folder, "sheet: 1\ncards: [\n" + "  a, a, a, a, a, a, a, a, a, a,\n" * 6_000 + "]\n")


@hostile("E0002")
def sheet_of_ten_megabytes(folder: Path) -> str:
    return sheet(folder, "sheet: 1\n" + "# remark\n" * 1_200_000)


# ---- running


@hostile("E0320")
def endless_loop(folder: Path) -> str:
    return rules(folder, "", loop("while 1 = 1", "  nothing"))


@hostile("R0101")
def endless_while(folder: Path) -> str:
    return rules(folder, "variable n: number = 1\n", loop("while n = 1", "  nothing"))


@hostile("R0101")
def endless_repeat(folder: Path) -> str:
    lines = ["repeat", "  set n to 1 - n", "  if n > 1: leave", "forever"]
    return rules(folder, "variable n: number = 0\n", loop(*lines))


@hostile("R0101 or R0102")
def endless_triggers(folder: Path) -> str:
    body = CARDS + "deck sand of grain\n  9 grain 1\nzone left: pile, seen by all\nzone right: pile, seen by all\n"
    body += "whenever c enters left\n  move c to right\nwhenever c enters right\n  move c to left\n"
    return rules(folder, body, loop("each p", "  p chooses n in 1..2", "  move n from sand to left"))


@hostile("R0101")
def nested_quantifiers(folder: Path) -> str:
    body = CARDS + "deck sand of grain\n  3000 grain 1\n"
    names = ", ".join(f"{name} in everything" for name in "abcdefgh")
    return rules(folder, body + f"define many = count of {names} where a is not b\n", loop("let x = many"))


@hostile("R0101")
def doubling_definitions(folder: Path) -> str:
    body = "define f0(n) = n + 1\n" + "".join(f"define f{i}(n) = f{i - 1}(n) + f{i - 1}(n + 1)\n" for i in range(1, 28))
    return rules(folder, body, loop("let x = f27(1)"))


@hostile("R0101")
def doubling_procedures(folder: Path) -> str:
    body = "variable n: number = 0\nprocedure p0\n  add 1 to n\n"
    body += "".join(f"procedure p{i}\n  p{i - 1}\n  p{i - 1}\n" for i in range(1, 28))
    return rules(folder, body, loop("each p", "  p chooses k in 1..2", "  p27"))


@hostile("R0101")
def loops_in_loops(folder: Path) -> str:
    lines = [" " * i + f"each x{i} in 1..9000" for i in range(4)]
    return rules(folder, "", loop(*lines, "    nothing"))


@hostile("R0110")
def huge_products(folder: Path) -> str:
    return rules(folder, "variable n: number = 999999999\n", loop("repeat 50 times: set n to n * n"))


@hostile("R0110")
def huge_sums(folder: Path) -> str:
    return rules(folder, "variable n: number = 1\n", loop("repeat 200 times: set n to n + n"))


@hostile("R0112")
def huge_range(folder: Path) -> str:
    return rules(folder, "", loop("let x = size of (1..999999999999999999)"))


@hostile("R0112")
def lists_by_doubling(folder: Path) -> str:
    body = "variable one: list of number\nvariable n: number = 1\n"
    lines = ["repeat 40 times", "  set n to n + n", "  set one to 1..n"]
    return rules(folder, body, loop(*lines))


@hostile("R0114")
def endless_game(folder: Path) -> str:
    lines = ["repeat", "  each p", "    p chooses n in 1..2", "  if 1 > 2: leave", "forever"]
    return rules(folder, "", loop(*lines))
