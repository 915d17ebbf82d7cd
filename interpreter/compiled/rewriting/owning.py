"""Lists in cells that nobody else has are changed where they are; making a changed copy takes longer.

In: the functions of whole random games, in which nobody looks at a game between two choices. Out: the same functions,
and the cells whose lists are changed: whoever calls the functions first gives each of those a list of its own. A list
is its cell's alone as long as what is put there is new, or was in another cell that has got a new one: anything else is
copied. It is changed in place where no variable that is read later may be that list as it was.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable

from attrs import define, evolve, frozen

from cambist.interpreter.compiled.layout import Layout
from cambist.interpreter.compiled.rewriting.keeping import Line
from cambist.interpreter.compiled.rewriting.living import Living, Names
from cambist.interpreter.compiled.rewriting.whose import Cells, Variables, all_of, followed, is_cell

LOOKS = re.compile(r"\b(?:rolled_back|sampled|possible)\(")  # others look at the game
MOVES = ("take", "taken")  # they give cells new lists
NEW = ("permuted", "left_of", "sorted", "list")  # what they give is a new list
GIVE_BACK = ("taken",)  # what they give is the list that they are given, or a new one
PARTED = ("any_of", "any_of_row")  # what they give is several new lists
SORTS = ("sort", "append", "remove")  # ways to change a list
CONSTANT = re.compile(r"K\d+")
CELLS_NAMED = frozenset(("S", "C"))
APART = "separate"  # what gives each cell a list of its own, in runtime.py
WIDTH = 4


Made = frozenset[int]  # the numbers of the lists that a new list may be


@frozen
class Cell:
    """A cell of a list, as it is named."""

    text: str
    cells: Cells  # that may be meant
    names: Names  # of which the text is made


@frozen
class Known:
    """What is certain between two statements."""

    lies: dict[str, Cell]  # the variable is the list in that cell
    new: dict[str, Made]  # the variable is a list that is in no cell

    def both(self, other: Known) -> Known:
        lies = {name: cell for name, cell in self.lies.items() if other.lies.get(name) == cell}
        gone: Made = frozenset()
        for one, two in ((self.new, other.new), (other.new, self.new)):
            gone = gone.union(*(made for name, made in one.items() if name not in two))
        new = {name: one | other.new[name] for name, one in self.new.items() if name in other.new}
        return Known(lies, {name: made for name, made in new.items() if not made & gone})  # others may be the same list

    def without(self, names: Iterable[str]) -> Known:
        """The same when these variables are something else."""
        gone = frozenset(names)
        lies = {name: cell for name, cell in self.lies.items() if name not in gone and not gone & cell.names}
        return Known(lies, {name: made for name, made in self.new.items() if name not in gone})


@define
class Change:
    """Lines that take the place of others if the cells own their lists."""

    cells: Cells
    lines: dict[int, list[str]]  # number of the line in its function -> what stands there instead


def changed_in_place(body: list[Line], others: list[Line], layout: Layout) -> tuple[list[Line], tuple[int, ...]]:
    """`others`: functions that are called, which change nothing."""
    if any(LOOKS.search(text) for _, text, _ in body):
        return body, ()
    groups, called = _apart(body), _apart(others)
    functions = [_Function(lines, layout) for lines in groups]
    variables = followed([one.tree for one in functions] + [_parsed(lines) for lines in called], layout)
    away = 0
    for one in variables.values():
        away |= one.away
    for function in functions:
        function.follow(variables)
    needed = _needed(functions)
    changes: list[list[Change]] = []
    owned = 0
    for function in functions:
        may = [c for c in function.changes if c.cells and not c.cells & (away | needed[function.tree.name])]
        changes.append(may)
        for change in may:
            owned |= change.cells
    found: list[Line] = []
    for function, may in zip(functions, changes, strict=True):
        copies = [c for c in function.copies if c.cells & owned]
        found += function.written([*copies, *may])
    return found, tuple(k for k in range(layout.size) if owned >> k & 1)


def _apart(lines: list[Line]) -> list[list[Line]]:
    """The lines of each function, with what stands behind it."""
    found: list[list[Line]] = []
    for line in lines:
        if line[1].startswith("def "):
            found.append([])
        found[-1].append(line)
    return found


def _parsed(lines: list[Line]) -> ast.FunctionDef:
    text = "\n".join(" " * WIDTH * indent + text for indent, text, _ in lines)
    tree = ast.parse(text).body[0]
    assert isinstance(tree, ast.FunctionDef)
    return tree


def _needed(functions: list[_Function]) -> dict[str, Cells]:
    """What those who call a function still need as it was: the lists that it must not change."""
    found = {function.tree.name: 0 for function in functions}
    while True:
        before = dict(found)
        for function in functions:
            for name, cells in function.calls.items():
                if name in found:
                    found[name] |= cells | found[function.tree.name]
        if before == found:
            return found


class _Function:
    def __init__(self, lines: list[Line], layout: Layout) -> None:
        self.lines = lines
        self.tree = _parsed(lines)
        self.changes: list[Change] = []
        self.copies: list[Change] = []
        self.calls: dict[str, Cells] = {}
        self.numbered = 0
        self.left: Made = frozenset()  # the numbers of lists that cells have given up
        self.around: Cells = 0  # the lists that loops around are going through

    def follow(self, variables: dict[str, Variables]) -> None:
        self.functions = variables
        self.variables = variables[self.tree.name]
        self.lists = self.variables.places.lists
        self.living = Living(self.tree)
        self._block(self.tree.body, Known({}, {}))

    def written(self, changes: list[Change]) -> list[Line]:
        instead: dict[int, list[str]] = {}
        for change in changes:
            instead |= change.lines
        found: list[Line] = []
        for k, (indent, text, place) in enumerate(self.lines):
            found += [(indent, one, place) for one in instead.get(k, [text])]
        return found

    # ---- statements

    def _block(self, body: list[ast.stmt], known: Known | None) -> Known | None:
        """What is known behind a block; None: it is left elsewhere."""
        for k, node in enumerate(body):
            known = known or Known({}, {})
            head = _head(node)
            self._note_calls(node, head)
            named = [one.target.id for part in head for one in ast.walk(part) if isinstance(one, ast.NamedExpr)]
            known = known.without(named) if named else known
            match node:
                case ast.If():
                    ends = [self._block(node.body, known), self._block(node.orelse, known)]
                    left = [end for end in ends if end is not None]
                    known = None if not left else left[0] if len(left) == 1 else left[0].both(left[1])
                case ast.While() | ast.For():
                    before = self.around
                    if isinstance(node, ast.For):
                        self.around |= all_of(self.variables.value(node.iter))
                    self._block(node.body, None)
                    self.around = before
                    known = self._block(node.orelse, None) or Known({}, {})
                case ast.Try():
                    tried = self._block(node.body, known)
                    for handler in node.handlers:
                        self._block(handler.body, None)
                    self._block(node.orelse, tried)
                    known = Known({}, {})
                case ast.Assign():
                    if not self._changed_in_steps(body, k, known):
                        self._changed_at_once(node, known)
                    known = self._behind(node, known)
                case ast.Return() | ast.Raise() | ast.Break() | ast.Continue():
                    known = None
                case _:
                    known = self._behind(node, known)
        return known

    def _note_calls(self, node: ast.stmt, head: list[ast.AST]) -> None:
        """What is read behind a call must be as it was: the function that is called must not change it."""
        for part in head:
            for name in _called(part):
                if name in self.functions:
                    plain = isinstance(node, (ast.Assign, ast.AugAssign, ast.Expr))
                    later = self.living.after(node) | self.living.uses(part)
                    cells = self.variables.of(later if plain else self.variables.may) | self.around
                    self.calls[name] = self.calls.get(name, 0) | cells

    def _behind(self, node: ast.stmt, known: Known) -> Known:
        """What is known behind a statement; and what it puts into a cell is copied if it is not new."""
        if any(name in MOVES or name in self.functions for name in _called(node)):
            known = evolve(known, lies={})
        if not isinstance(node, (ast.Assign, ast.AugAssign)):
            return known
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        names = [
            part.id
            for target in targets
            for part in (target.elts if isinstance(target, ast.Tuple) else [target])
            if isinstance(part, ast.Name)
        ]
        here, made = self._value(node.value, known)
        for target in targets:
            if isinstance(target, ast.Subscript) and is_cell(target):
                known, here, made = self._behind_cell(node, target, known, here, made)
        known = known.without(names)
        if _gives_several(node.value):
            return evolve(known, new=known.new | {name: self._made() for name in names})
        if here is not None and not here.names & {*names}:
            return evolve(known, lies=known.lies | dict.fromkeys(names, here))
        return evolve(known, new=known.new | dict.fromkeys(names, made)) if made is not None else known

    def _behind_cell(
        self, node: ast.Assign | ast.AugAssign, cell: ast.Subscript, known: Known, here: Cell | None, made: Made | None
    ) -> tuple[Known, Cell | None, Made | None]:
        """The same of what a statement puts into one cell; and where its value lies then, or that it is a new list."""
        cells, named, value = self.variables.meant(cell), self._cell(cell), node.value
        lies, new = known.lies, known.new
        if not cells & self.lists:  # perhaps a number that a cell is named by
            return Known({name: one for name, one in lies.items() if not one.names & CELLS_NAMED}, new), here, made
        if named is not None and here == named:
            return known, here, made
        own = made is not None and not isinstance(cell.slice, ast.Slice) and self._given_up(node, made, known)
        if not own:
            had = 0 if made is not None else all_of(self.variables.value(value))  # it may lie there still
            self._copied(value, cells | had, isinstance(cell.slice, ast.Slice))
        lay_here = [name for name, one in lies.items() if named is not None and one == named]
        left = dict.fromkeys(lay_here, self._made(left=True))
        lies = {name: one for name, one in lies.items() if not one.cells & cells}
        new = {name: one for name, one in new.items() if made is None or not one & made} | left
        if own and isinstance(value, ast.Name) and named is not None:
            lies[value.id] = named
        return Known(lies, new), named, None

    def _given_up(self, node: ast.stmt, made: Made, known: Known) -> bool:
        """Whether a list that is in no cell can be given to one: nothing else that is read later may be it."""
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Name):
            return True
        later = self.living.after(node) - {node.value.id}
        if any(one & made and name in later for name, one in known.new.items()):
            return False
        if not made & self.left:
            return True
        mine = self.variables.of([node.value.id])
        return not mine & (self.variables.of(later) | self.around)

    def _made(self, left: bool = False) -> Made:
        """One more list in no cell. `left`: it was in one, so that any variable may be it that may be that cell's."""
        self.numbered += 1
        self.left |= {self.numbered} if left else set()
        return frozenset({self.numbered})

    def _value(self, node: ast.expr, known: Known) -> tuple[Cell | None, Made | None]:
        """The cell in which it lies, or that it is a new list."""
        match node:
            case ast.Name(id=name):
                return known.lies.get(name), known.new.get(name)
            case ast.Subscript() if is_cell(node):
                return self._cell(node), None
            case ast.List() | ast.ListComp() | ast.BinOp(op=ast.Add()):
                return None, self._made()
            case ast.Subscript(slice=ast.Slice()):
                return None, self._made()
            case ast.Call(func=ast.Name(id=name)) if name in NEW:
                return None, self._made()
            case ast.Call(func=ast.Name(id=name), args=[_, ast.Name(id=given), *_]) if name in GIVE_BACK:
                made = known.new.get(given)
                return None, made and made | self._made()
            case _:
                return None, None

    def _cell(self, node: ast.expr) -> Cell | None:
        """The cell that is named, if it can be told from others."""
        if not isinstance(node, ast.Subscript) or not is_cell(node) or isinstance(node.slice, ast.Slice):
            return None
        index = ast.unparse(node.slice)
        if "[" in index or "(" in index:
            return None
        names = frozenset(one.id for one in ast.walk(node.slice) if isinstance(one, ast.Name))
        return Cell(index, self.variables.meant(node), names)

    # ---- changes

    def _alone(self, node: ast.stmt) -> bool:
        """Whether a statement has its line to itself."""
        indent, text, _ = self.lines[node.lineno - 1]
        ends = len(text) + WIDTH * indent
        return node.col_offset == WIDTH * indent and node.end_col_offset == ends

    def _free(self, node: ast.stmt, cells: Cells, but: Names) -> bool:
        """Whether nobody needs a list behind a statement as it was before."""
        later = self.variables.of(self.living.after(node) - but)
        return not cells & (later | self.around) and not cells & ~self.lists & self.variables.places.zones

    def _source(self, node: ast.expr) -> str:
        return ast.unparse(node)

    def _copied(self, value: ast.expr, cells: Cells, whole: bool = False) -> None:
        """A list that somebody else has, too, is copied before it is put into a cell."""
        number = value.lineno - 1
        indent, code, _ = self.lines[number]
        begin, end = value.col_offset - WIDTH * indent, (value.end_col_offset or 0) - WIDTH * indent
        given = code[begin:end]
        if isinstance(value, ast.Constant) or (not whole and not self._is_list(value)):
            return
        if whole:
            copy = f"{APART}({given})"
        else:
            copy = f"[*{given}]" if isinstance(value, ast.Name) else f"[*({given})]"
        self.copies.append(Change(cells & self.lists, {number: [code[:begin] + copy + code[end:]]}))

    def _is_list(self, value: ast.expr) -> bool:
        """Whether it may be a list: not what is worked out with numbers."""
        return not isinstance(value, (ast.BinOp, ast.UnaryOp, ast.Compare))

    def _the_same(self, node: ast.expr, cell: Cell, known: Known) -> bool:
        here, _ = self._value(node, known) if isinstance(node, (ast.Name, ast.Subscript)) else (None, None)
        return here == cell

    def _changed_at_once(self, node: ast.Assign, known: Known) -> None:
        """`S[5] = [*S[5], c]`, and its like."""
        cells = [target for target in node.targets if is_cell(target)]
        names = frozenset(target.id for target in node.targets if isinstance(target, ast.Name))
        if len(cells) != 1 or len(names) + 1 != len(node.targets) or not self._alone(node):
            return
        cell = self._cell(cells[0])
        if cell is None or not cell.cells & self.lists or not self._free(node, cell.cells, names):
            return
        found = self._in_place(node.value, lambda one: self._the_same(one, cell, known))
        if found is not None:
            whose, done = found
            lines = [done, *(f"{name} = {whose}" for name in sorted(names) if name != whose)]
            self.changes.append(Change(cell.cells, {node.lineno - 1: lines}))

    def _in_place(self, value: ast.expr, same: Callable[[ast.expr], bool]) -> tuple[str, str] | None:
        """The list, and the statement that changes it as a new one would differ from it."""
        text = self._source
        match value:
            case ast.List(elts=[ast.Starred(value=old), one]) if same(old) and not isinstance(one, ast.Starred):
                return text(old), f"{text(old)}.append({text(one)})"
            case ast.List(elts=[one, ast.Starred(value=old)]) if same(old) and not isinstance(one, ast.Starred):
                return text(old), f"{text(old)}.insert(0, {text(one)})"
            case ast.BinOp(left=old, op=ast.Add(), right=ast.Name() as more) if same(old) and not same(more):
                return text(old), f"{text(old)} += {text(more)}"
            case ast.Subscript(value=old, slice=ast.Slice(lower=low, upper=high, step=None)) if same(old):
                if high is None and isinstance(low, ast.Name):
                    return text(old), f"del {text(old)}[:{text(low)}]"
                if high is None and isinstance(low, ast.Constant) and low.value == 1:
                    return text(old), f"del {text(old)}[0]"
                if low is None and high is not None and text(high) == "-1":
                    return text(old), f"del {text(old)}[-1]"
        return None

    def _changed_in_steps(self, body: list[ast.stmt], k: int, known: Known) -> bool:
        """A copy of the list in a cell that is changed, step by step, and then put there."""
        first = body[k]
        if not isinstance(first, ast.Assign) or len(first.targets) != 1 or not self._alone(first):
            return False
        target = first.targets[0]
        if not isinstance(target, ast.Name):
            return False
        name, value = target.id, first.value
        match value:
            case ast.Subscript(value=old, slice=ast.Slice(lower=None, upper=None, step=None)):
                done = ""
            case ast.BinOp(left=old, op=ast.Add(), right=ast.Name(id=more)) if more != name:
                done = f"{name} += {more}"
            case ast.List(elts=[ast.Starred(value=old), ast.Name(id=one)]) if one != name:
                done = f"{name}.append({one})"
            case _:
                return False
        here, _ = self._value(old, known) if isinstance(old, (ast.Name, ast.Subscript)) else (None, None)
        put = None if here is None else self._put(body[k + 1 :], name, here)
        if here is None or put is None or not here.cells & self.lists:
            return False
        if not self._free(first, here.cells, frozenset({name})):
            return False
        same = self._source(old) == name
        begun = [*([] if same else [f"{name} = {self._source(old)}"]), *([done] if done else [])]
        self.changes.append(Change(here.cells, {first.lineno - 1: begun, put: []}))
        return True

    def _put(self, body: list[ast.stmt], name: str, cell: Cell) -> int | None:
        """The number of the line that puts the list into its cell again, if it is only changed until then."""
        for k, node in enumerate(body):
            match node:
                case ast.Expr(value=ast.Call()) if self._changes(node, name):
                    continue
                case ast.Try(body=[ast.Expr() as tried], handlers=[caught], finalbody=[]) if self._changes(tried, name):
                    if k or not _only_takes(caught.body):
                        return None
                    if not node.orelse:
                        continue
                    return self._puts_behind(node.orelse, name, cell)
                case ast.Assign() if self._puts(node, name, cell) and self._alone(node):
                    return node.lineno - 1
                case _:
                    return None
        return None

    def _puts(self, node: ast.stmt, name: str, cell: Cell) -> bool:
        match node:
            case ast.Assign(targets=[target], value=ast.Name(id=given)):
                return given == name and self._cell(target) == cell
        return False

    def _puts_behind(self, body: list[ast.stmt], name: str, cell: Cell) -> int | None:
        """The same in `else: …`, on one line."""
        (node, *more) = body
        text = self.lines[node.lineno - 1][1]
        return node.lineno - 1 if not more and self._puts(node, name, cell) and text.startswith("else: ") else None

    @staticmethod
    def _changes(node: ast.Expr, name: str) -> bool:
        match node.value:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=whose), attr=how), args=args, keywords=[]):
                plain = all(isinstance(arg, ast.Name) and arg.id != name for arg in args)
                return whose == name and how in SORTS and plain
        return False


def _head(node: ast.stmt) -> list[ast.AST]:
    """The parts of a statement that are no statements."""
    match node:
        case ast.If() | ast.While():
            return [node.test]
        case ast.For():
            return [node.iter]
        case ast.Try():
            return []
    return [node]


def _called(node: ast.AST) -> list[str]:
    """The names of the functions that are called."""
    calls = [one.func for one in ast.walk(node) if isinstance(one, ast.Call)]
    return [one.id for one in calls if isinstance(one, ast.Name)]


def _gives_several(value: ast.expr) -> bool:
    """Whether it is several new lists."""
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in PARTED


def _only_takes(body: list[ast.stmt]) -> bool:
    match body:
        case [ast.Expr(value=ast.Call(func=ast.Name(id=name)))]:
            return name in MOVES
    return False
