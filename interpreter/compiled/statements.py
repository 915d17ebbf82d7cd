"""Instructions of a program -> lines of Python. One instruction is a few lines; moves, transfers and the setting of
locals have files of their own."""

from __future__ import annotations

from cambist.dsl import program as p
from cambist.interpreter.compiled.drawing import drawn
from cambist.interpreter.compiled.layout import ENDED, LIMITS, MARKS, NOBODY, OVER, REVEALED, TENTATIVE, WAITS, WHO
from cambist.interpreter.compiled.plan import IN, TAKE, plain_some
from cambist.interpreter.compiled.ways import Node
from cambist.interpreter.compiled.writer import STATEMENTS, Writer


def _set_var(w: Writer, one: p.ISetVar, node: Node) -> list[str]:
    base, tame = w.e.layout.vars, w.e.is_tame(one.index)
    if not w.told:
        cell = w.e.cell(base, one.index, w.scope)
        if one.add and not cell[2:-1].isdecimal():
            return [f"i = {w.text(one.index)}", f"S[{base} + i] = {w.checked(one.value, f'S[{base} + i]', tame)}"]
        named = not one.add and w.e.is_named(one.index)
        return [f"{cell} = {w.checked(one.value, cell if one.add else '', tame, named)}"]
    return [
        f"i = {w.text(one.index)}",
        f"x = S[{base} + i] = {w.checked(one.value, f'S[{base} + i]' if one.add else '')}",
        *w.log(f"Changed(i, x, AT[{w.place}])"),
    ]


def _set_space(w: Writer, one: p.ISetSpace, node: Node) -> list[str]:
    base = w.e.layout.vars
    last = len(w.e.program.tables[one.table]) - 1
    cell = w.e.cell(base, one.index, w.scope)
    lines = []
    if w.told or not cell[2:-1].isdecimal():
        lines, cell = [f"i = {base} + {w.text(one.index)}"], "S[i]"
    if one.by:
        lines.append(f"x = {cell} + {w.text(one.value)}")
        lines.append(f"{cell} = x = 0 if x < 0 else {last} if x > {last} else x")
    elif isinstance(one.value, p.ESpace) and one.value.table == one.table and _distinct(w, one.table):
        lines.append(f"{cell} = x = {w.text(one.value.position)}")  # the place of another marker on the same track
    else:
        lines.append(f"y = {w.text(one.value)}")
        lines.append(f"x = PLACE{one.table}.get(y, -1)")
        lines.append(f"if x < 0: raise Failed('no_space', {w.place}, str(y))")
        lines.append(f"{cell} = x")
    return [*lines, *w.log(f"Changed(i - {base}, x, AT[{w.place}])")]


def _distinct(w: Writer, table: int) -> bool:
    spaces = w.e.program.tables[table]
    return len(set(spaces)) == len(spaces)


def _each_start(w: Writer, one: p.IEachStart, node: Node) -> list[str]:
    return [f"{w.local(one.list_slot)} = {w.text(one.items)}", f"{w.local(one.index_slot)} = 0"]


def _each_next(w: Writer, one: p.IEachNext, node: Node) -> list[str]:
    if node[2] != IN:
        return [f"{w.local(one.list_slot)} = 0"] if w.names is None else ["pass"]
    index = w.local(one.index_slot)
    return [f"{w.local(one.slot)} = {w.local(one.list_slot)}[{index}]", f"{index} += 1"]


def _take_answer(w: Writer, one: p.ITakeAnswer, node: Node) -> list[str]:
    if node[2] == 0:
        return ["pass" if w.giver and w.at_random else f"answer = {w._answer(one)}"]
    lines = placed(w, w.e.program.choices[one.choice], node[2] - TAKE)
    if w.remembers and not w.giver:
        w.latest = None  # what the answers of all leave is not at hand here
    return lines


def placed(w: Writer, choice: p.Choice, branch: int) -> list[str]:
    """The values of `answer` into their locals."""
    lines = []
    w.latest = plain_some(choice) if w.at_random or w.remembers else None
    for place, pick in enumerate(choice.branches[branch].picks, 1):
        value = w.drawn("chosen", place)
        if w.at_random and drawn(choice) is not None:
            pass  # lists of its own already
        elif pick.shape == "arrangement":
            value = f"[list(pile) for pile in {value}]"
        elif pick.shape != "in" and not (w.at_random and pick is w.latest):
            value = f"[*{value}]"
        lines.append(f"{w.local(pick.slot)} = {value}")
    return lines or ["pass"]


def _shuffle(w: Writer, one: p.IShuffle, node: Node) -> list[str]:
    base = w.e.layout.zones
    zone = w.e.cell(base, one.zone, w.scope)
    clear = [f"S[{TENTATIVE}] = ()"] if w.plan.tentative else []
    if w.told:
        return [
            f"i = {w.text(one.zone)}",
            f"lying = S[{base} + i]",
            "order = outcome(X, len(lying), len(lying))",
            f"S[{base} + i] = [lying[k] for k in order]",
            *clear,
            *w.log(f"Shuffled(i, tuple(order), AT[{w.place}])"),
        ]
    return [f"lying = {zone}", f"{zone} = permuted(S, lying, len(lying))", *clear]


def _random(w: Writer, one: p.IRandom, node: Node) -> list[str]:
    w.e.meanings[w.place] = one.meaning
    lines = [f"found = {w.text(one.items)}"]
    if one.count is None:
        lines += ["wanted = 1"]
    else:
        lines += [f"wanted = {w.text(one.count)}"]
    lines += [f"if wanted > len(found) or wanted < 0: raise Failed('too_few', {w.place}, wanted, len(found))"]
    if w.told:
        lines += ["order = outcome(X, len(found), wanted)", "drawn = [found[k] for k in order]"]
    else:
        lines += ["drawn = permuted(S, found, wanted)"]
    lines += [f"{w.local(one.slot)} = {'drawn[0]' if one.count is None else 'sorted(drawn)'}"]
    lines += [f"S[{TENTATIVE}] = ()"] if w.plan.tentative else []
    return lines + w.log(f"Drawn(tuple(order), len(found), tuple(drawn), MEANING[{w.place}], AT[{w.place}])")


def _reveal(w: Writer, one: p.IReveal, node: Node) -> list[str]:
    lines = [f"found = {w.text(one.zones)}"]
    lines += [f"S[{REVEALED}] {'|' if one.shown else '-'}= frozenset(found)"]
    lines += [f"S[{TENTATIVE}] = ()"] if w.plan.tentative and one.shown else []
    return lines + w.log(f"Revealed(tuple(found), {one.shown}, AT[{w.place}])")


def _call(w: Writer, one: p.ICall, node: Node) -> list[str]:
    procedure = w.e.program.procedures[one.procedure]
    args = [w.text(a) for a in one.args]
    told = []
    if procedure.word == "phase" and w.told:
        shown = "".join(f"{a}, " for a in args)
        told = w.log(f"Entered({one.procedure}, ({shown}), AT[{w.place}])")
    if one.procedure in w.plan.plain:
        call = f"run_{one.procedure}({', '.join(['S', 'X', *args])})"
        given = "".join(f"{w.local(slot)}, " for slot in one.results)
        return [*told, f"{given}= {call}" if given else call]
    cells = w.e.layout.locals[one.procedure]
    lines = [f"S[{cells[k]}] = {arg}" for k, arg in enumerate(args)]
    for first, last in runs(sorted(cell for slot, cell in cells.items() if slot >= len(args))):
        if last - first < 2:
            lines += [f"S[{cell}] = 0" for cell in range(first, last + 1)]
        else:
            zeros = w.e.constant(("zeros", last - first + 1))
            lines.append(f"S[{first}:{last + 1}] = {zeros}")
    calls = w.plan.calls[one.procedure]
    if len(calls) > 1:
        number = next(k for k, call in enumerate(calls) if call.caller == node[0] and call.pc == node[1])
        lines.append(f"S[{w.e.layout.returns[one.procedure]}] = {number}")
    lines += told
    if len(calls) > 1 and not w.through:
        lines.append(f"return {w.plan.leaders[w.plan.node(one.procedure, 0)]}")
    return lines or ["pass"]


def runs(slots: list[int]) -> list[tuple[int, int]]:
    """Neighbours together: first and last of each."""
    found: list[tuple[int, int]] = []
    for slot in slots:
        if found and found[-1][1] == slot - 1:
            found[-1] = (found[-1][0], slot)
        else:
            found.append((slot, slot))
    return found


def before_return(w: Writer, one: p.IReturn, q: int) -> list[str]:
    """What a procedure that asks does last: its results are in `found`."""
    lines = []
    if any(isinstance(n, p.ITentative) for n in w.plan.codes[q]):
        lines.append(f"if S[{TENTATIVE}]: S[{TENTATIVE}] = forget(S[{TENTATIVE}], {q})")
    if one.values and any(call.results for call in w.plan.calls[q]):
        lines.append(f"found = ({''.join(f'{w.text(v)}, ' for v in one.values)})")
    return lines


def _return(w: Writer, one: p.IReturn, node: Node) -> list[str]:
    q = node[0]
    if q in w.plan.plain:
        values = [w.text(v) for v in one.values]
        return [f"return {''.join(f'{v}, ' for v in values)}" if values else "return"]
    lines = before_return(w, one, q)
    calls = w.plan.calls[q]
    if q == w.e.program.play and not calls:
        lines += [f"S[{ENDED}] = PLAYED_OUT", f"S[{WAITS}] = {OVER}", f"S[{WHO}] = {NOBODY}"]
        return [*lines, *w.log("Ended(PLAYED_OUT, At())"), "return -1"]
    for number, call in enumerate(calls):
        gives = [f"{w.cell_of(call.caller, slot)} = found[{k}]" for k, slot in enumerate(call.results)]
        if len(calls) == 1:
            lines += gives
        else:
            lines.append(f"if S[{w.e.layout.returns[q]}] == {number}:")
            lines += [f" {line}" for line in gives]
            lines.append(f" return {w.plan.leaders[w.plan.node(call.caller, call.following)]}")
    return lines or ["pass"]


def _end_game(w: Writer, one: p.IEndGame, node: Node) -> list[str]:
    lines = [f"S[{ENDED}] = {w.e.constant(('text', one.reason))}", f"S[{TENTATIVE}] = ()", f"S[{WAITS}] = {OVER}"]
    lines.append(f"S[{WHO}] = {NOBODY}")
    return [*lines, *w.log(f"Ended({w.e.constant(('text', one.reason))}, AT[{w.place}])"), "return -1"]


def _require(w: Writer, one: p.IRequire, node: Node) -> list[str]:
    text = w.e.constant(("text", one.text))
    return [f"if not {w.truth(one.test)}: raise Failed('require_failed', {w.place}, {text})"]


def _mark(w: Writer, one: p.IMark, node: Node) -> list[str]:
    cell = f"S[{LIMITS if one.limit else MARKS}]"
    name = w.e.constant(("text", one.name))
    lines = [f"{cell} = {{**{cell}, {name}: {cell}.get({name}, 0) + 1}}"]
    return lines + w.log(f"Marked({name}, {one.limit}, AT[{w.place}])")


def _tentative(w: Writer, one: p.ITentative, node: Node) -> list[str]:
    otherwise = w.plan.leaders[w.plan.node(node[0], one.otherwise)]
    here = w.plan.leaders[node]
    kept = f"S[{TENTATIVE}] = (*S[{TENTATIVE}], ({node[0]}, {here}, {otherwise}, {node[1]}, {one.otherwise}, S[:]))"
    if w.at_random and not w.plan.rolls_back:
        return ["pass"]  # who answers at random takes nothing back
    return [kept]


def _keep(w: Writer, one: p.IKeep, node: Node) -> list[str]:
    cell = f"S[{TENTATIVE}]"
    return [f"if {cell} and {cell}[-1][0] == {node[0]}: {cell} = {cell}[:-1]"]


def _roll_back(w: Writer, one: p.IRollBack, node: Node) -> list[str]:
    return [
        f"if not S[{TENTATIVE}]: raise Failed('nothing_to_roll_back', {w.place})",
        "following = rolled_back(S)",
        *w.log(f"RolledBack(AT[{w.place}], tuple(X.where))"),
        "return following",
    ]


STATEMENTS |= {
    p.ISetVar: _set_var,
    p.ISetSpace: _set_space,
    p.IEachStart: _each_start,
    p.IEachNext: _each_next,
    p.ITakeAnswer: _take_answer,
    p.IShuffle: _shuffle,
    p.IRandom: _random,
    p.IReveal: _reveal,
    p.ICall: _call,
    p.IReturn: _return,
    p.IEndGame: _end_game,
    p.IRequire: _require,
    p.IMark: _mark,
    p.ITentative: _tentative,
    p.IKeep: _keep,
    p.IRollBack: _roll_back,
    p.IUnless: lambda w, one, node: [w.truth(one.test)],  # both ways lead to the same: it is asked, since it may fail
}
