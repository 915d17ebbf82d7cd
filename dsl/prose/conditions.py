"""Yes or no -> clauses: `p.cash >= 5` is “the player’s cash is at least 5”, and what it is not."""

from __future__ import annotations

import re

from cambist.dsl import nodes as n
from cambist.dsl.prose.contents import conjuncts
from cambist.dsl.prose.english import VERBS, a, is_clause, is_plural, listed, plural, possessive
from cambist.dsl.prose.expressions import Phrases, is_short
from cambist.dsl.prose.marks import bare, marked

COMPARED = {
    "=": "is",
    "!=": "is not",
    "<": "is less than",
    "<=": "is at most",
    ">": "is more than",
    ">=": "is at least",
}
OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
HEAD = re.compile(" (?:of|for|in|among|whose|that|who) ")  # what follows belongs to the noun before it
DEEPEST = 2  # definitions told inside one another


class Clauses(Phrases):
    def clause(self, node: n.Expr, negated: bool = False) -> str:
        match node:
            case n.Truth():
                return "it is always so" if node.value != negated else "it is never so"
            case n.Not():
                return self.clause(node.value, not negated)
            case n.Binary() if node.op in ("and", "or"):
                return self._joined(node, negated)
            case n.Binary() if node.op in COMPARED:
                return self._compared(node, negated)
            case n.Binary() if node.op == "in":
                return self._member(node, negated)
            case n.Is():
                return self._is(node, negated)
            case n.Quantified() if node.word in ("some", "every", "no"):
                return self._quantified_clause(node, negated)
            case n.IfElse():
                told = f"{self.clause(node.then)} (if {self.clause(node.test)}), otherwise {self.clause(node.other)}"
                return f"it is not so that {told}" if negated else told
            case n.Ref() | n.Call() if self._definition(node) is not None:
                return self._asked(node, negated)
            case n.Ref() if node.name in self.locals:
                return f"{self.value(node)} {'is not' if negated else 'is'} so"
            case n.Ref() if isinstance(self.world.declared(node.name), n.Variable):
                return f"{self.world.name(node.name)} is {'not ' if negated else ''}noted"
            case n.Ref() if isinstance(self.world.declared(node.name), n.Option):
                return f"the option {self.world.name(node.name)} is {'not ' if negated else ''}chosen"
            case n.Dot() | n.Call() if self._flag(node) is not None:
                return self._marked(node, negated)
            case _:
                return f"{self.value(node)} {'is not' if negated else 'is'} so"

    # ---- and, or

    def _joined(self, node: n.Binary, negated: bool) -> str:
        if negated:
            return f"it is not so that ({self.clause(node)})"
        parts: list[n.Expr] = _parts(node, node.op)
        told = [self.clause(part) for part in parts]
        if node.op == "and":
            wrapped = [
                f"either {text}" if isinstance(part, n.Binary) and part.op == "or" else text
                for part, text in zip(parts, told, strict=True)
            ]
            return listed(wrapped)
        return listed(told, "or")

    # ---- comparisons

    def _compared(self, node: n.Binary, negated: bool) -> str:
        op = OPPOSITE[node.op] if negated else node.op
        if isinstance(node.right, n.Ref) and node.right.name == "nobody" and op in ("=", "!="):
            return self._nobody(node.left, op == "!=")
        if isinstance(node.left, n.Prefix) and node.left.word == "size" and isinstance(node.right, n.Number):
            counted = self._counted(node.left, op, node.right.value)
            if counted:
                return counted
        left, verb = self.value(node.left), COMPARED[op]
        named = isinstance(node.left, (n.Ref, n.Dot)) and not left.startswith("the option ")
        if named and is_plural(HEAD.split(bare(left))[0]):
            verb = f"are{verb[2:]}"
        return f"{left} {verb} {self.value(node.right)}"

    def _counted(self, size: n.Prefix, op: str, number: str) -> str:
        """How many lie somewhere, as one says it at a table."""
        if self.kind(size.value).word != "zone":
            return ""
        noun, place = self.card_in(size.value), self.value(size.value)
        if (op, number) in ((">", "0"), (">=", "1")):
            return f"{place} is not empty"
        if (op, number) in (("=", "0"), ("<", "1")):
            return f"{place} is empty"
        limit = {"=": "exactly", "<": "fewer than", "<=": "at most", ">": "more than", ">=": "at least"}.get(op)
        if limit is None:
            return ""
        told = f"is {limit} 1 {noun}" if number == "1" else f"are {limit} {number} {plural(noun)}"
        return f"there {told} in {place}"

    def _member(self, node: n.Binary, negated: bool) -> str:
        what, where = self.value(node.left), self.value(node.right)
        if self.kind(node.right).word == "zone":
            return f"{what} {'does not lie' if negated else 'lies'} in {where}"
        if isinstance(node.right, n.ListOf):
            options = listed((self.value(item) for item in node.right.items), "nor" if negated else "or")
            return f"{what} is {'neither' if negated else 'either'} {options}"
        return f"{what} {'is not' if negated else 'is'} among {where}"

    # ---- is

    def _empty(self, node: n.Expr, negated: bool) -> str:
        what = self.value(node)
        head = HEAD.split(bare(what))[0]
        several = is_plural(head)
        if several and self.kind(node).word == "list" and what.startswith("the ") and "’" not in head:
            return f"there are {'' if negated else 'no '}{what.removeprefix('the ')}"
        verb = "are" if several else "is"
        return f"{what} {verb}{' not' if negated else ''} empty"

    def _nobody(self, node: n.Expr, somebody: bool) -> str:
        kind = self.kind(node)
        if isinstance(node, n.Dot):
            name = self.world.words(node.name.text)
            return f"{self.value(node.owner)} has {a(name) if somebody else f'no {name}'}"
        if isinstance(node, n.Ref) and node.name in self.locals:
            return f"{self.value(node)} is {'somebody' if somebody else 'nobody'}"
        if kind.word == "player" and isinstance(node, n.Ref):
            return f"{'somebody' if somebody else 'nobody'} is {self.world.name(node.name)}"
        told = self.value(node).removeprefix("the ")
        return f"there is {a(told) if somebody else f'no {told}'}"

    def _is(self, node: n.Is, negated: bool) -> str:
        name, symbols = node.name.text, self.world.ruleset.symbols
        verb = "is not" if negated else "is"
        if name == "empty" and name not in self.locals:
            return self._empty(node.value, negated)
        if name == "nobody":
            return self._nobody(node.value, negated)
        if symbols.card(name) is not None:
            return f"{self.value(node.value)} {verb} {a(self.world.words(name))}{self.fields(node)}"
        ref = n.Ref(name, node.name.span)
        if name in self.locals:
            return f"{self.value(node.value)} {verb} {self.value(ref)}"
        decl = self.world.declared(name)
        if isinstance(decl, n.Define) and len(decl.params) == 1:
            return f"{self.value(node.value)} {verb} {self.world.term(name)}"
        if isinstance(decl, n.Variable) and not decl.owners and decl.kind.name.text == "player":
            return f"{self.value(node.value)} {verb} {self.world.name(name)}"
        return f"{self.value(node.value)} {verb} {self.value(ref)}"

    # ---- quantifiers

    def _quantified_clause(self, node: n.Quantified, negated: bool) -> str:
        word: str = node.word
        if negated:
            word = {"some": "no", "no": "some"}.get(word, word)
        if word in ("some", "no") and len(node.binders) == 1:
            told = self.those(node.binders[0], node.where, False)
            return f"there is {f'no {told}' if word == 'no' else a(told)}"
        inside, shown = self.each_of(node.binders, None)
        if word in ("some", "no"):
            test = f" for which {inside.clause(node.where)}" if node.where is not None else ""
            return f"there is {f'no {shown}' if word == 'no' else a(shown)}{test}"
        test = inside.clause(node.where) if node.where is not None else "it is so"
        told = f"for every {shown}, {test}"
        if len(node.binders) == 1:
            phrase = inside.locals[node.binders[0].name.text].phrase
            own = f"{possessive(phrase)} "
            if test.startswith(own):
                told = f"{possessive(f'every {shown}')} {test[len(own) :]}" if " " not in shown else told
            elif test.startswith(f"{phrase} "):
                told = f"every {shown} {test[len(phrase) + 1 :]}"
        return f"it is not so that {told}" if negated else told

    # ---- flags and conditions with a name

    def _flag(self, node: n.Expr) -> n.Variable | None:
        name = node.name.text if isinstance(node, (n.Dot, n.Call)) else ""
        decl = self.world.declared(name)
        return decl if isinstance(decl, n.Variable) else None

    def _marked(self, node: n.Expr, negated: bool) -> str:
        assert isinstance(node, (n.Dot, n.Call))
        owners = (node.owner, *node.args) if isinstance(node, n.Dot) else node.args
        more = f" for {listed(self.value(owner) for owner in owners[1:])}" if len(owners) > 1 else ""
        return f"{self.value(owners[0])} is {'not ' if negated else ''}marked {self.world.name(node.name.text)}{more}"

    def _definition(self, node: n.Expr) -> n.Define | None:
        name = node.name if isinstance(node, n.Ref) else node.name.text if isinstance(node, n.Call) else ""
        return None if name in self.locals else self.world.definition(name)

    def _asked(self, node: n.Ref | n.Call, negated: bool) -> str:
        """A condition that has a name: what it says if that is short, with its name; else its name."""
        decl = self._definition(node)
        assert decl is not None
        args = node.args if isinstance(node, n.Call) else ()
        term = self.world.term(decl.name.text)
        if self.depth < DEEPEST and (args or not is_clause(self.world.words(decl.name.text))):
            inside = self.opened(decl, args)
            told = inside.clause(decl.value, negated)
            if is_short(told) and "(" not in bare(told):
                return f"{told} ({'not ' if negated else ''}{term})"
        return self._by_name(decl, args, negated)

    def _by_name(self, decl: n.Define, args: tuple[n.Expr, ...], negated: bool) -> str:
        name, term = self.world.words(decl.name.text), self.world.term(decl.name.text)
        told = self.with_names(args, decl.params)
        if not told and name.startswith("is "):
            return f"it is {'not ' if negated else ''}{marked('term', name[3:], decl.name.text)}"
        if not told and is_clause(name):
            return self._not_so(decl) if negated else term
        if len(told) == 1:
            first = name.split(" ")[0]
            if first in VERBS or (first.endswith("s") and not first.endswith("ss")):
                return f"it is not so that {told[0]} {term}" if negated else f"{told[0]} {term}"
            verb = "are" if is_plural(HEAD.split(bare(told[0]))[0]) else "is"
            return f"{told[0]} {verb} {'not ' if negated else ''}{term}"
        holds = "does not hold" if negated else "holds"
        return f"{term} {holds}" + (f" for {listed(told)}" if told else "")

    def _not_so(self, decl: n.Define) -> str:
        """The opposite of a name that is a clause: `year is full`, *year is not full*."""
        name = self.world.words(decl.name.text)
        for verb in (" is ", " are ", " may ", " can ", " must "):
            if verb in name:
                return marked("term", name.replace(verb, f"{verb}not ", 1), decl.name.text)
        return f"it is not so that {self.world.term(decl.name.text)}"


def _parts(node: n.Expr, op: str) -> list[n.Expr]:
    if op == "and":
        return conjuncts(node)
    if isinstance(node, n.Binary) and node.op == op:
        return [*_parts(node.left, op), *_parts(node.right, op)]
    return [node]
