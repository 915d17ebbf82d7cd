"""Statements, choices and bodies -> lines of text. What comes out is one statement a line, with its notes behind it.

Lines are wrapped here, where the grammar lets a line go on: behind a comma or a semicolon, before `and`, `or`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import assert_never

from cambist.dsl import nodes as n
from cambist.dsl.unparse_expressions import (
    EXPR,
    POSTFIX,
    RANGE,
    SUM,
    arguments,
    binder,
    listed_binders,
    names,
    note_texts,
    text,
    where,
)

WIDTH, NOTE, STEP = 100, 40, 2
BREAKS = re.compile(r'"[^"]*"|(?P<after>[,;] )|(?P<before> (?=(?:and|or|where|with) ))')


def lines_of(code: str, notes: n.Notes, depth: int, mark: str = "") -> list[str]:
    """One logical line with what is noted of it: behind it if there is room, else below."""
    indent = " " * (STEP * depth)
    rows = _wrapped(code, indent)
    stretches = [*note_texts(notes), *([mark] if mark else [])]
    if len(stretches) == 1 and len(rows) == 1 and len(rows[0]) + len(stretches[0]) <= WIDTH + NOTE:
        return [f"{rows[0]}  {stretches[0]}"]
    return [*rows, *(f"{indent}    {stretch}" for stretch in stretches)]


def _wrapped(code: str, indent: str) -> list[str]:
    if len(indent) + len(code) <= WIDTH:
        return [indent + code]
    places = [m.end() if m["after"] else m.start() + 1 for m in BREAKS.finditer(code) if m["after"] or m["before"]]
    rows: list[str] = []
    begin, last = 0, 0
    for place in [*places, len(code)]:
        if place - begin > WIDTH - len(indent) and last > begin:
            rows.append(code[begin:last])
            begin = last
        last = place
    rows.append(code[begin:])
    return [indent + rows[0].rstrip(), *(f"{indent}    {row.rstrip()}" for row in rows[1:])]


def body(stmts: Iterable[n.Stmt], depth: int) -> list[str]:
    return [line for stmt in stmts for line in statement(stmt, depth)]


def statement(stmt: n.Stmt, depth: int) -> list[str]:
    match stmt:
        case n.Each():
            head = f"each {listed_binders(stmt.binders)}{where(stmt.where)}"
            return [*lines_of(head, stmt.notes, depth), *body(stmt.body, depth + 1)]
        case n.If():
            return _if(stmt, depth)
        case n.Repeat():
            return _repeat(stmt, depth)
        case n.Choose():
            return _choose(stmt, depth)
        case n.Secretly():
            head = f"secretly each {binder(stmt.binder)}"
            return [*lines_of(head, stmt.notes, depth), *body((stmt.choose, *stmt.body), depth + 1)]
        case n.Tentatively():
            head_lines = lines_of("tentatively", stmt.notes, depth)
            return [*head_lines, *body(stmt.body, depth + 1), *_otherwise(stmt.otherwise, depth)]
        case _:
            return lines_of(simple(stmt), stmt.notes, depth)


def simple(stmt: n.Simple) -> str:
    match stmt:
        case n.Move():
            source = "" if stmt.source is None else f" from {text(stmt.source, SUM)}"
            what = text(stmt.what, EXPR if stmt.source is None else SUM)
            end = f"{stmt.end} of " if stmt.end else ""
            return f"move {what}{source} to {end}{text(stmt.to, SUM)}"
        case n.Fill():
            return f"fill {text(stmt.zone, SUM)} to {text(stmt.size, SUM)} from {text(stmt.source, SUM)}"
        case n.Transfer():
            return f"transfer {text(stmt.amount, SUM)} from {text(stmt.source, SUM)} to {text(stmt.to, SUM)}"
        case n.Let():
            return f"let {names(stmt.names)} = {text(stmt.value)}"
        case n.Draw():
            count = "" if stmt.count is None else f" {text(stmt.count, SUM)}"
            return f"let {stmt.name.text} = random{count} of {text(stmt.source, RANGE)}"
        case n.Set():
            return f"set {text(stmt.target, POSTFIX)} to {text(stmt.value)}"
        case n.Add():
            return f"add {text(stmt.value, SUM)} to {text(stmt.target, POSTFIX)}"
        case n.Shift():
            return f"shift {text(stmt.target, POSTFIX)} by {text(stmt.by, SUM)}"
        case n.Shuffle():
            return f"shuffle {text(stmt.zone, SUM)}"
        case n.Reveal():
            return f"{'reveal' if stmt.shown else 'hide'} {text(stmt.zone, SUM)}"
        case n.Return():
            return f"return {arguments(stmt.values)}".rstrip()
        case n.Leave():
            return "leave"
        case n.EndGame():
            return f'end game because "{stmt.reason}"' if stmt.reason else "end game"
        case n.RollBack():
            return "roll back"
        case n.Nothing():
            return "nothing"
        case n.Require():
            return f"require {text(stmt.test)}"
        case n.Mark():
            return f"{'limit' if stmt.limit else 'mark'} {stmt.name.text}"
        case n.Run():
            return text(stmt.target, POSTFIX)
    assert_never(stmt)


def _if(stmt: n.If, depth: int) -> list[str]:
    found: list[str] = []
    for index, (test, inner) in enumerate(stmt.arms):
        head = f"{'else if' if index else 'if'} {text(test)}"
        found += [*lines_of(head, () if index else stmt.notes, depth), *body(inner, depth + 1)]
    if stmt.other:
        found += [*lines_of("else", (), depth), *body(stmt.other, depth + 1)]
    return found


def _repeat(stmt: n.Repeat, depth: int) -> list[str]:
    inner = body(stmt.body, depth + 1)
    if stmt.test_first is not None:
        return [*lines_of(f"while {text(stmt.test_first)}", stmt.notes, depth), *inner]
    if stmt.times is not None:
        return [*lines_of(f"repeat {text(stmt.times, SUM)} times", stmt.notes, depth), *inner]
    last = "forever" if stmt.until is None else f"until {text(stmt.until)}"
    return [*lines_of("repeat", stmt.notes, depth), *inner, *lines_of(last, (), depth)]


def _otherwise(stmts: tuple[n.Stmt, ...] | None, depth: int) -> list[str]:
    return [] if stmts is None else [*lines_of("otherwise", (), depth), *body(stmts, depth + 1)]


def _choose(stmt: n.Choose, depth: int) -> list[str]:
    who = f"{text(stmt.who, POSTFIX)} chooses"
    if not stmt.named:
        (only,) = stmt.branches
        found = lines_of(f"{who} {offer(only)}", stmt.notes, depth)
    else:
        found = lines_of(who, stmt.notes, depth)
        for one in stmt.branches:
            found += branch(one, depth + 1)
    return [*found, *_otherwise(stmt.otherwise, depth)]


def branch(one: n.Branch, depth: int) -> list[str]:
    head = f"{one.label.text}{' ' if one.picks else ''}{offer(one)}"
    return [*lines_of(f"{head}:", one.notes, depth), *body(one.body, depth + 1)]


def offer(one: n.Branch) -> str:
    such = "" if one.such_that is None else f" such that {text(one.such_that)}"
    return f"{', '.join(_pick(pick) for pick in one.picks)}{where(one.where)}{such}"


def _pick(pick: n.Pick) -> str:
    if pick.shape == "in":
        return f"{pick.name.text} in {text(pick.source, RANGE)}"
    source = text(pick.source, SUM)
    if pick.shape != "some":
        return f"{pick.name.text}: any {pick.shape} of {source}"
    least = "" if pick.least is None else f", at least {text(pick.least, SUM)}"
    most = "" if pick.most is None else f", at most {text(pick.most, SUM)}"
    return f"{pick.name.text}: some of {source}{least}{most}{', possibly none' if pick.possibly_none else ''}"
