"""Conditions of ready-made answers are asked case by case: what a variable is equal to is asked once for all of them.

In: the lines of one function. Out: the same function, where lines such as

    if same and (c7 == 0) and x: may += 1
    if (same and (c7 == 0) or other and (c7 == 1)) and y: may += 2

stand under `if c7 == 0:` and `elif c7 == 1:`, without what is known there, and those that begin alike under what they
begin with. Only conditions that look at variables and cells, and call nothing but `len`, change places.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence

from attrs import Factory, frozen

from cambist.interpreter.compiled.rewriting.keeping import Line

BIT = re.compile(r"if (.+): (may \+= \d+)$")
COMPARED = re.compile(r"(?<![\w\]])([a-z]\w*) == \(?(-?\d+)|(?<![\w\[+])(-?\d+)\)? == ([a-z]\w*)\b(?!\[)")
WORD = re.compile(r"\b[a-z]\w*")
SET = re.compile(r"(\w+) = ([^=]+|.*==.*)$")  # one variable, and nothing else
Text = tuple[int, str]  # how deep, and what
Memo = dict[tuple[tuple[str, ...], tuple["Fact", ...]], list[Text] | None]
LEAST = 3  # conditions in a row
MOST = 2  # times as many lines as there were
CASES = 3  # of one variable


@frozen
class Condition:
    test: ast.expr | bool
    then: str


@frozen
class Fact:
    """What is known of a variable: the number that it is, numbers that it is not, or whether it holds."""

    name: str
    number: int | None = None
    others: tuple[int, ...] = ()
    holds: bool | None = None

    def equal(self, number: int) -> bool | None:
        if self.number is not None:
            return self.number == number
        return False if number in self.others else None


@frozen
class Subject:
    """A variable that several conditions compare with numbers."""

    name: str
    conditions: list[Condition] = Factory(list)
    numbers: dict[int, None] = Factory(dict)


def by_cases(lines: list[Line], memo: Memo) -> list[Line]:
    """`memo`: conditions that were gone through before: several functions ask the same ones."""
    if not any(text.startswith("may = ") for _, text, _ in lines):
        return lines
    out: list[Line] = []
    settled: set[str] = set()  # variables whose value was known
    end = 0
    for begin, (indent, text, place) in enumerate(lines):
        if begin < end or " may += " not in text:
            continue
        out += lines[end:begin]
        end = begin
        while end < len(lines) and lines[end][0] == indent and BIT.match(lines[end][1]):
            end += 1
        row = lines[begin:end]
        texts = tuple(text for _, text, _ in row)
        if len(row) < LEAST or not _compares(texts):
            out += row
            continue
        asked = {word for text in texts for word in WORD.findall(text)} - {"may"}
        facts = tuple(fact for fact in _facts(out, indent) if fact.name in asked)
        if (texts, facts) not in memo:
            memo[texts, facts] = _shorter(texts, facts)
        found = memo[texts, facts]
        if found is None:
            out += row
            continue
        settled |= {fact.name for fact in facts}
        out += [(indent + depth, text, place) for depth, text in found]
    return _without_unused([*out, *lines[end:]], settled)


def _shorter(texts: tuple[str, ...], facts: tuple[Fact, ...]) -> list[Text] | None:
    """The lines instead of these; None if they are as short as can be."""
    conditions = before = [_condition(text) for text in texts]
    if not all(_calm(one.test) for one in conditions):
        return None
    for fact in facts:
        conditions = _given(fact, conditions)
    return None if conditions == before and _subject(conditions) is None else _asked(conditions)


def _without_unused(lines: list[Line], names: set[str]) -> list[Line]:
    """Without what is set and never asked for."""
    text = "\n".join(text for _, text, _ in lines) if names else ""
    unused = {name for name in names if len(re.findall(rf"\b{name}\b", text)) == 1}
    return [line for line in lines if not unused or line[1].partition(" = ")[0] not in unused]


def _compares(texts: Iterable[str]) -> bool:
    """Whether several of them compare the same variable with few numbers: what else there is is not worth the time."""
    numbers: dict[str, set[str]] = {}
    often: dict[str, int] = {}
    for text in texts:
        found = [(one or other, number or first) for one, number, first, other in COMPARED.findall(text)]
        for name, number in found:
            numbers.setdefault(name, set()).add(number)
        for name in {name for name, _ in found}:
            often[name] = often.get(name, 0) + 1
    return any(often[name] > 1 and len(numbers[name]) <= CASES for name in often)


def _condition(text: str) -> Condition:
    found = BIT.match(text)
    assert found is not None
    return Condition(ast.parse(found[1], mode="eval").body, found[2])


def _calm(test: ast.expr | bool) -> bool:
    for node in ast.walk(test) if isinstance(test, ast.AST) else ():
        if isinstance(node, (ast.NamedExpr, ast.Lambda, ast.comprehension)):
            return False
        if isinstance(node, ast.Call) and not (isinstance(node.func, ast.Name) and node.func.id == "len"):
            return False
    return True


def _facts(before: Sequence[Line], indent: int) -> list[Fact]:
    """What the lines before say of variables."""
    found: dict[str, Fact | None] = {}
    for depth, text, _ in reversed(before):
        one = SET.match(text)
        if depth != indent or one is None or ":=" in one[2]:
            break
        value = _without(ast.parse(one[2], mode="eval").body, Fact(""))
        number = _number(value) if isinstance(value, ast.expr) else None
        fact = None
        if isinstance(value, bool):
            fact = Fact(one[1], holds=value)
        elif number is not None:
            fact = Fact(one[1], number)
        found.setdefault(one[1], fact)
    return [fact for fact in found.values() if fact is not None]


def _number(node: ast.expr) -> int | None:
    match node:
        case ast.Constant(value=int(number)) if type(number) is int:
            return number
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(number))):
            return -number
        case _:
            return None


def _compared(node: ast.AST) -> tuple[str, int] | None:
    """The variable and the number of a question whether they are equal."""
    if not isinstance(node, ast.Compare) or len(node.ops) != 1 or not isinstance(node.ops[0], ast.Eq):
        return None
    for one, other in ((node.left, node.comparators[0]), (node.comparators[0], node.left)):
        number = _number(other)
        if isinstance(one, ast.Name) and number is not None:
            return one.id, number
    return None


# ---- what is known makes conditions shorter


def _given(fact: Fact, conditions: Iterable[Condition]) -> list[Condition]:
    """Those that can hold, without what is known."""
    found = [Condition(_without(one.test, fact), one.then) for one in conditions]
    return [one for one in found if one.test is not False]


def _without(test: ast.expr | bool, fact: Fact) -> ast.expr | bool:
    match test:
        case ast.Name() if test.id == fact.name and fact.holds is not None:
            return fact.holds
        case ast.BoolOp():
            decided = isinstance(test.op, ast.Or)  # what one part alone decides
            parts = [_without(part, fact) for part in test.values]
            if any(part is decided for part in parts):
                before = test.values[: next(k for k, part in enumerate(parts) if part is decided)]
                return test if any(_may_fail(part) for part in before) else decided
            left = [part for part in parts if not isinstance(part, bool)]
            return _joined(test.op, left) if left else not decided
        case ast.UnaryOp(op=ast.Not()):
            inner = _without(test.operand, fact)
            return not inner if isinstance(inner, bool) else ast.UnaryOp(ast.Not(), inner)
        case ast.Compare():
            compared = _compared(test)
            equal = fact.equal(compared[1]) if compared is not None and compared[0] == fact.name else None
            one, other = _number(test.left), _number(test.comparators[0])
            if one is not None and other is not None and isinstance(test.ops[0], ast.Eq) and len(test.ops) == 1:
                equal = one == other
            return test if equal is None else equal
        case _:
            return test


def _may_fail(test: ast.expr) -> bool:
    """Whether it asks for a thing of a list that may be empty: a variable, or what is in a cell."""
    found = (node.value for node in ast.walk(test) if isinstance(node, ast.Subscript))
    return any(not isinstance(one, ast.Name) or one.id[0].islower() for one in found)


def _joined(op: ast.boolop, parts: list[ast.expr]) -> ast.expr:
    return parts[0] if len(parts) == 1 else ast.BoolOp(op, parts)


# ---- what is written


def _asked(conditions: list[Condition]) -> list[Text]:
    subject = _subject(conditions)
    if subject is not None:
        number = conditions.index(subject.conditions[0])
        others = [one for one in conditions if one not in subject.conditions]
        before = [one for one in conditions[:number] if one in others]
        return [*_asked(before), *_cases(subject), *_asked(others[len(before) :])]
    out: list[Text] = []
    while conditions:
        one, *conditions = conditions
        if isinstance(one.test, bool):
            out.append((0, one.then))
            continue
        first, _ = _parts(one.test)
        alike = [one, *(c for c in conditions if not isinstance(c.test, bool) and _same(_parts(c.test)[0], first))]
        if len(alike) == 1:
            out.append((0, f"if {ast.unparse(one.test)}: {one.then}"))
            continue
        conditions = [c for c in conditions if c not in alike]
        rest = [Condition(_parts(c.test)[1], c.then) for c in alike if isinstance(c.test, ast.expr)]
        out += [(0, f"if {ast.unparse(first)}:"), *_deeper(_asked(rest))]
    return out


def _deeper(lines: list[Text]) -> list[Text]:
    return [(depth + 1, text) for depth, text in lines]


def _parts(test: ast.expr) -> tuple[ast.expr, ast.expr | bool]:
    """What is asked first, and the rest."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return test.values[0], _joined(test.op, test.values[1:])
    return test, True


def _same(one: ast.expr, other: ast.expr) -> bool:
    return ast.dump(one) == ast.dump(other)


def _subject(conditions: list[Condition]) -> Subject | None:
    """The variable whose cases make conditions shortest."""
    found: dict[str, Subject] = {}
    for one in conditions:
        for node in ast.walk(one.test) if isinstance(one.test, ast.expr) else ():
            compared = _compared(node)
            if compared is not None:
                subject = found.setdefault(compared[0], Subject(compared[0]))
                subject.numbers[compared[1]] = None
                if one not in subject.conditions:
                    subject.conditions.append(one)
    for subject in found.values():
        if len(subject.conditions) < 2 or len(subject.numbers) > CASES:
            continue
        cases = [_given(fact, subject.conditions) for fact in _all_cases(subject)]
        if sum(map(len, cases)) <= MOST * len(subject.conditions):
            return subject
    return None


def _all_cases(subject: Subject) -> list[Fact]:
    numbers = tuple(subject.numbers)
    return [*(Fact(subject.name, number) for number in numbers), Fact(subject.name, others=numbers)]


def _cases(subject: Subject) -> list[Text]:
    *cases, last = [(fact, _given(fact, subject.conditions)) for fact in _all_cases(subject)]
    out: list[Text] = []
    for fact, conditions in cases:
        if conditions or last[1]:
            head = f"{'elif' if out else 'if'} {fact.name} == {fact.number}:"
            out += [(0, head), *(_deeper(_asked(conditions)) or [(1, "pass")])]
    if last[1]:
        out += [(0, "else:"), *_deeper(_asked(last[1]))]
    return out
