"""Lark tree -> nodes: no lookups, no judgement beyond depth. `Builder` holds the file and the report.

Declarations are here; heads in build_heads.py, statements in build_statements.py, expressions in build_expressions.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import evolve
from lark import Token, Tree

from cambist.dsl import messages as say
from cambist.dsl import nodes as n
from cambist.dsl.build_heads import HeadBuilder
from cambist.dsl.diagnostics import Diagnostic, Report
from cambist.dsl.parse import parse
from cambist.dsl.source import SourceFile, Span
from cambist.dsl.stretches import stretch

NEVER = {"NEVER_DECREASES": ">=", "NEVER_INCREASES": "<=", "NEVER_CHANGES": "="}
PATCHES = frozenset("set_part replace add_part remove insert replace_lines remove_lines add_cards remove_cards".split())


def build(file: SourceFile, report: Report, trees: list[Tree[Any]] | None = None) -> n.Tree:
    """The nodes of a file; of its trees, if somebody has parsed it already."""
    builder = Builder(file, report)
    decls: list[n.Decl] = []
    patches: list[n.Patch] = []
    variant: n.Variant | None = None
    for tree in parse(file, report) if trees is None else trees:
        if tree.data == "variant":
            if variant is not None:
                report.add(say.declared_twice(builder.head(tree), "variant", variant.span))
            variant = variant or builder.variant(tree)
        elif tree.data in PATCHES:
            patches.append(builder.patch(tree))
        else:
            decls.extend(builder.declaration(tree))
        builder.no_marks()
    return n.Tree(tuple(decls), variant, tuple(patches), Span(file, 0, 0))


class Builder(HeadBuilder):
    def declaration(self, tree: Tree[Any]) -> list[n.Decl]:
        make: Callable[[Tree[Any]], n.Decl | list[n.Decl]] = getattr(self, f"decl_{tree.data}")
        made = make(tree)
        return made if isinstance(made, list) else [made]

    # ---- changes that a variant makes

    def patch(self, tree: Tree[Any]) -> n.Patch:
        found = self._patch(tree)
        if self.marks and not isinstance(found, n.AddPart):
            found = evolve(found, against=self.marks.pop(0))
        return found

    def no_marks(self) -> None:
        """What stands `against` a part of the base is a change of it, and it does so once."""
        for mark in self.marks:
            self.report.add(say.mark_of_nothing(mark.span))
        self.marks.clear()

    def _patch(self, tree: Tree[Any]) -> n.Patch:
        if tree.data == "set_part":
            return self._set_part(tree)
        if tree.data == "remove":
            removed = next(self.trees(tree, "removed"))
            word, label = (t for t in removed.children if isinstance(t, Token))
            text = str(label)[1:-1] if label.type == "STRING" else str(label)
            return n.Remove(str(word), text, self.notes_of(tree), None, self.span(label), self.head(tree))
        if tree.data in ("add_cards", "remove_cards"):
            return self._cards(tree)
        inner = next(c for c in tree.children if isinstance(c, Tree))
        if tree.data == "replace":
            return n.Replace(tuple(self.declaration(inner)), None, self.head(tree))
        if tree.data == "add_part":
            return n.AddPart(tuple(self.declaration(inner)), self.head(tree))
        return self._lines(tree)

    def _cards(self, tree: Tree[Any]) -> n.Cards:
        how: Any = str(tree.data).partition("_")[0]
        row, notes = next(self.trees(tree, "row_of")), self.notes_of(tree)
        cells = tuple(self.cell(c) for c in row.children if isinstance(c, Tree))
        one = n.Row(int(self.tokens(row, "INT")[0]), self.first_name(row), cells, notes, self.whole(row))
        return n.Cards(how, one, self.first_name(tree), None, self.head(tree).to(self.whole(row)))

    def _lines(self, tree: Tree[Any]) -> n.Lines:
        words = [t for t in tree.children if isinstance(t, Token)]
        place = next(self.trees(tree, "place"), None)
        anchor: n.Name | None = None
        which: Any = ""
        if place is None:
            how: Any = "start" if words[2].type == "START_OF" else "end"
            rule = self.name(words[-1])
        else:
            how = {"INSERT": words[-1].type.lower()}.get(words[0].type, str(words[0]))
            *several, named = self.tokens(place, "NAME", "EACH")
            rule, anchor = self.name(named), self.dotted(next(self.trees(place, "anchor")))
            for word in several:
                which = str(word)
                if which not in ("first", "last", "each"):
                    self.complain(word, ("`first`", "`last`", "`each`"))
                    which = "first"
        notes = self.notes_of(tree)
        changed = next(self.trees(tree, "changed"), None)
        branches = () if changed is None else tuple(self.branch(b) for b in self.trees(changed, "branch"))
        body = () if changed is None or branches else self.block(changed)
        span = self.span(words[0]).to(rule.span)
        return n.Lines(how, which, anchor, rule, body, branches, notes, None, span)

    def _set_part(self, tree: Tree[Any]) -> n.SetPart:
        values: list[tuple[n.Expr | None, n.Expr]] = []
        for part in self.trees(tree, "new_value"):
            expressions = [self.expression(c) for c in part.children if isinstance(c, Tree)]
            values.append((expressions[0] if len(expressions) == 2 else None, expressions[-1]))
        sheet = next((n.Text(str(t)[1:-1], self.span(t)) for t in self.tokens(tree, "STRING")), None)
        if not values and sheet is None:
            values = [(None, self.last_expression(tree))]
        return n.SetPart(self.first_name(tree), tuple(values), sheet, self.notes_of(tree), None, self.head(tree))

    # ---- components

    def decl_enum(self, tree: Tree[Any]) -> n.Enum:
        return n.Enum(self.first_name(tree), self.names(tree), self.notes_of(tree), self.head(tree))

    def decl_card(self, tree: Tree[Any]) -> n.Card:
        fields = []
        for item in self.trees(tree, "field"):
            name = self.first_name(item)
            kind = next((self.kind(part) for part in self.trees(item, "kind")), n.KindName(name))
            several = kind.name.text == "list" and kind.of is not None
            default = next((self.signed(s) for s in self.trees(item, "signed")), None)
            inner = kind.of.name if several and kind.of is not None else kind.name
            fields.append(n.Field(name, inner, default, several, self.head(item)))
        return n.Card(self.first_name(tree), tuple(fields), self.notes_of(tree), self.head(tree))

    def decl_deck(self, tree: Tree[Any]) -> n.Deck:
        sheet = next((n.Text(str(t)[1:-1], self.span(t)) for t in self.tokens(tree, "STRING")), None)
        rows = []
        for row in self.trees(tree, "row"):
            count = int(self.tokens(row, "INT")[0])
            cells = tuple(self.cell(c) for c in row.children if isinstance(c, Tree) and c.data != "end")
            rows.append(n.Row(count, self.first_name(row), cells, self.notes_of(row), self.head(row)))
        cards = self.names(tree)
        return n.Deck(
            self.first_name(tree),
            cards,
            sheet,
            tuple(rows),
            self.seen(tree),
            self.notes_of(tree),
            self.head(tree),
        )

    def seen(self, tree: Tree[Any]) -> n.Seen:
        by, hidden, until, span = "all", False, False, self.head(tree)
        for part in self.trees(tree, "seen_by", "count_hidden", "until_revealed"):
            if part.data == "seen_by":
                word = self.tokens(part, "NAME", "ALL")[0]
                by, span = str(word), self.span(word)
            hidden = hidden or part.data == "count_hidden"
            until = until or part.data == "until_revealed"
        return n.Seen(by, hidden, until, span)

    def decl_option(self, tree: Tree[Any]) -> n.Option:
        numbers = [self.signed(s) for s in self.trees(tree, "signed")]
        values = self.names(tree)
        if [value.text for value in values] == ["flag"]:
            values = ()
        low, high = (numbers[0], numbers[1]) if len(numbers) >= 2 else (None, None)
        conditions = tuple(self.condition(part) for part in self.trees(tree, "condition"))
        name, meaning, default = self.first_name(tree), self.string(tree), self.settled(tree)
        return n.Option(name, meaning, low, high, values, default, conditions, self.notes_of(tree), self.head(tree))

    def settled(self, tree: Tree[Any]) -> n.Expr:
        """What an option is set to: a number, a name, `yes` or `no`, and the last that stands there."""
        for token in self.tokens(tree, "YES", "NO"):
            return n.Truth(token.type == "YES", self.span(token))
        name, *rest = self.tokens(tree, "NAME")
        return n.Ref(str(rest[-1]), self.span(rest[-1])) if rest else self.signed([*self.trees(tree, "signed")][-1])

    def condition(self, tree: Tree[Any]) -> n.Condition:
        first, *_ = parts = [c for c in tree.children if isinstance(c, Tree) and c.data != "end"]
        when = self.expression(first) if len(parts) > 1 else None
        requires = bool(self.tokens(tree, "REQUIRES"))
        return n.Condition(requires, when, self.expression(parts[-1]), self.notes_of(tree), self.whole(tree))

    def decl_table(self, tree: Tree[Any]) -> n.Table:
        by = next((self.first_name(b) for b in self.trees(tree, "by")), None)
        entries: list[tuple[n.Number | None, n.Number]] = []
        for entry in self.trees(tree, "entry"):
            parts = [self.signed(s) for s in self.trees(entry, "signed")]
            entries.append((parts[0] if len(parts) == 2 else None, parts[-1]))
        return n.Table(self.first_name(tree), by, tuple(entries), self.notes_of(tree), self.head(tree))

    def decl_unit(self, tree: Tree[Any]) -> n.Unit:
        written = next(iter(self.tokens(tree, "DECIMAL", "INT")), None)
        step, place = ("1", self.head(tree)) if written is None else (str(written), self.span(written))
        for word in self.tokens(tree, "NAME")[1:]:
            if str(word) != "step":
                self.complain(word, ("`step`",))
        owners = self.owners(tree)
        return n.Unit(self.first_name(tree), owners, step, self.notes_of(tree), place, self.head(tree))

    def owners(self, tree: Tree[Any]) -> tuple[n.Name, ...]:
        return tuple(self.name(t) for part in self.trees(tree, "owners") for t in self.tokens(part, "NAME"))

    def unit(self, tree: Tree[Any]) -> n.Name | None:
        return next((self.first_name(part) for part in self.trees(tree, "in_unit")), None)

    def starts(self, tree: Tree[Any]) -> n.Expr | None:
        return next((self.last_expression(part) for part in self.trees(tree, "starts")), None)

    def decl_account(self, tree: Tree[Any]) -> n.Account:
        words = {
            t.type
            for part in self.trees(tree, "account_word")
            for t in self.tokens(part, "MAY_BE_NEGATIVE", "UNLIMITED")
        }
        return n.Account(
            self.first_name(tree),
            self.owners(tree),
            self.unit(tree),
            self.starts(tree),
            "MAY_BE_NEGATIVE" in words,
            "UNLIMITED" in words,
            self.seen(tree),
            self.notes_of(tree),
            self.head(tree),
        )

    def decl_variable(self, tree: Tree[Any]) -> n.Variable:
        kind = self.kind(next(self.trees(tree, "kind")))
        return n.Variable(
            self.first_name(tree),
            kind,
            self.owners(tree),
            self.starts(tree),
            self.seen(tree),
            self.notes_of(tree),
            self.head(tree),
        )

    def kind(self, tree: Tree[Any]) -> n.KindName:
        inner = next((self.kind(k) for k in self.trees(tree, "kind")), None)
        return n.KindName(self.first_name(tree), inner, self.head(tree))

    def decl_track(self, tree: Tree[Any]) -> n.Track:
        spaces = (part for part in tree.children if isinstance(part, Tree) and part.data in ("signed", "stretch"))
        values = tuple(value for part in spaces for value in self.spaces(part))
        at = next(self.trees(tree, "start_at"), None)
        start = None if at is None else next((self.signed(s) for s in self.trees(at, "signed")), None)
        texts = [] if at is None else self.tokens(at, "STRING")
        sheet = next((n.Text(str(t)[1:-1], self.span(t)) for t in texts), None)
        bands = []
        for band in self.trees(tree, "band"):
            low, high = (self.signed(s) for s in self.trees(band, "signed"))
            bands.append(n.Band(self.first_name(band), low, high, self.notes_of(band), self.head(band)))
        return n.Track(
            self.first_name(tree),
            self.owners(tree),
            self.unit(tree),
            values,
            start,
            sheet,
            tuple(bands),
            self.notes_of(tree),
            self.head(tree),
        )

    def spaces(self, tree: Tree[Any]) -> tuple[n.Number, ...]:
        """One space, or those of a stretch such as `0..200 by 10`."""
        if tree.data == "signed":
            return (self.signed(tree),)
        low, high, *by = (self.signed(part) for part in self.trees(tree, "signed"))
        found = stretch(low, high, by[0] if by else None, self.whole(tree))
        if isinstance(found, Diagnostic):
            self.report.add(found)
            return (low, high)
        return found

    def decl_zone(self, tree: Tree[Any]) -> list[n.Decl]:
        order = self.name(self.tokens(tree, "NAME")[0])
        capacity = next((self.last_expression(part) for part in self.trees(tree, "capacity")), None)
        shared = (order, self.owners(tree), capacity, self.seen(tree), self.notes_of(tree), self.head(tree))
        return [n.Zone(name, *shared) for name in self.names(tree)]

    # ---- rules

    def params(self, tree: Tree[Any]) -> tuple[n.Name, ...]:
        return tuple(name for part in self.trees(tree, "params") for name in self.names(part))

    def decl_define(self, tree: Tree[Any]) -> n.Define:
        value = self.last_expression(tree)
        return n.Define(self.first_name(tree), self.params(tree), value, self.notes_of(tree), self.head(tree))

    def _procedure(self, tree: Tree[Any]) -> n.Procedure:
        word = str(tree.data)
        keyword = tree.children[0]
        name = n.Name(word, self.span(keyword)) if word in ("setup", "play") else self.first_name(tree)
        block = self.block(next(self.trees(tree, "block")))
        return n.Procedure(word, name, self.params(tree), block, self.notes_of(tree), self.head(tree))  # type: ignore[arg-type]

    decl_phase = decl_procedure = decl_setup = decl_play = _procedure

    def decl_whenever(self, tree: Tree[Any]) -> n.Whenever:
        component, verb, zone = self.tokens(tree, "NAME")
        if str(verb) not in ("enters", "leaves"):
            self.complain(verb, ("`enters`", "`leaves`"))
        return n.Whenever(
            self.name(component),
            str(verb) == "enters",
            self.name(zone),
            self.names(tree),
            self.where(tree),
            self.block(next(self.trees(tree, "block"))),
            self.notes_of(tree),
            self.head(tree),
        )

    def decl_estimate(self, tree: Tree[Any]) -> n.Estimate:
        return n.Estimate(self.first_name(tree), self.last_expression(tree), self.notes_of(tree), self.head(tree))

    def decl_score(self, tree: Tree[Any]) -> n.Score:
        return n.Score(self.first_name(tree), self.last_expression(tree), self.notes_of(tree), self.head(tree))

    def decl_winner(self, tree: Tree[Any]) -> n.Winner:
        shared = bool(self.tokens(tree, "TIES_SHARED"))
        return n.Winner(self.criteria(tree), shared, self.notes_of(tree), self.head(tree))

    def _property(self, tree: Tree[Any]) -> n.Property:
        word: Any = str(tree.data)
        moment: Any = "always"
        after: n.Name | None = None
        params: tuple[n.Name, ...] = ()
        for part in self.trees(tree, "moment"):
            moment = "end" if self.tokens(part, "AT_END") else "after"
            params = self.params(part)
            after = self.dotted(part) if moment == "after" else None
        parts = ("moment", "binders", "end")
        law = next(c for c in tree.children if isinstance(c, Tree) and c.data not in parts)
        leads_to: n.Expr | None = None
        binders = self.binders(tree)
        if law.data == "leads_to":
            value, leads_to = (self.expression(c) for c in law.children if self.is_expression(c))
            binders, where = self.binders(law), self.where(law)
            if where is not None:
                value = n.Binary("and", where, value, "", value.span)
        else:
            value = self._never(law) if law.data == "never" else self.expression(law)
        name, notes = self.first_name(tree), self.notes_of(tree)
        return n.Property(word, name, value, moment, after, params, leads_to, binders, notes, self.head(tree))

    decl_invariant = decl_reachable = decl_measure = _property

    def _never(self, tree: Tree[Any]) -> n.Expr:
        """`x never decreases for p in players` is `every p in players where x >= before(x)`."""
        span = self.whole(tree)
        value = next(self.expression(c) for c in tree.children if self.is_expression(c))
        word = next(t for t in tree.children if isinstance(t, Token) and t.type in NEVER)
        before = n.Call(n.Name("before", value.span), (value,), value.span)
        claim: n.Expr = n.Binary(NEVER[word.type], value, before, "", span)
        binders, where = self.binders(tree), self.where(tree)
        if where is not None:
            claim = n.Binary("or", n.Not(where, where.span), claim, "", span)
        return n.Quantified("every", None, binders, claim, None, span) if binders else claim

    @staticmethod
    def is_expression(part: Any) -> bool:
        return isinstance(part, Tree) and part.data not in ("binders", "such")

    def decl_show(self, tree: Tree[Any]) -> n.Show:
        name, *player = self.tokens(tree, "NAME")
        rows = next((self.binder(b) for b in self.trees(tree, "binder")), None)
        columns = [
            n.Shown(
                self.first_name(part),
                next((self.binder(b) for b in self.trees(part, "binder")), None),
                self.last_expression(part),
                self.notes_of(part),
                self.head(part),
            )
            for part in self.trees(tree, "shown")
        ]
        if not columns:
            parts = ("binder", "names", "end", "seen_by", "count_hidden", "until_revealed")
            inline = next(c for c in tree.children if isinstance(c, Tree) and c.data not in parts)
            columns = [n.Shown(self.name(name), None, self.expression(inline), (), self.head(tree))]
        return n.Show(
            self.name(name),
            self.name(player[0]) if player else None,
            rows,
            tuple(columns),
            self.names(tree),
            self.seen(tree),
            self.notes_of(tree),
            self.head(tree),
        )

    # ---- examples

    def decl_example(self, tree: Tree[Any]) -> n.Example:
        clauses = tuple(self.clause(c) for c in self.trees(tree, "clause"))
        return n.Example(self.string(tree), clauses, self.notes_of(tree), self.head(tree))

    def clause(self, tree: Tree[Any]) -> n.Clause:
        word: Any = str(tree.children[0])
        acts = tuple(self.act(a) for a in self.trees(tree, "act"))
        because = next((self.dotted(b) for b in self.trees(tree, "because")), None)
        skip = ("act", "because", "end")
        facts = tuple(self.fact(c) for c in tree.children if isinstance(c, Tree) and c.data not in skip)
        return n.Clause(word, facts, acts, because, self.notes_of(tree), self.head(tree))

    def act(self, tree: Tree[Any]) -> n.Act:
        words = [str(t) for w in self.trees(tree, "word") for t in w.children]
        text = " ".join(words).replace(" ,", ",").replace("- ", "-").replace("+ ", "+")
        text = text.replace("[ ", "[").replace(" ]", "]")
        return n.Act(self.first_name(tree), text, bool(self.tokens(tree, "MAY_CHOOSE")), self.whole(tree))

    def fact(self, tree: Tree[Any]) -> n.Fact:
        if tree.data in ("named", "table_of"):
            return n.Named(self.names(tree), tree.data == "table_of", self.whole(tree))
        if tree.data == "in_phase":
            return n.InPhase(self.last_expression(tree), self.whole(tree))
        if tree.data == "with_option":
            return n.WithOption(self.first_name(tree), self.settled(tree), self.whole(tree))
        if tree.data == "holds":
            things = tuple(t for part in self.trees(tree, "thing") for t in self.thing(part))
            in_order = bool(self.tokens(tree, "IN_ORDER"))
            return n.Holds(self.expression(tree.children[0]), things, in_order, self.whole(tree))
        if tree.data == "learns":
            return n.Learns(self.first_name(tree), self.whole(tree))
        if tree.data == "chance":
            return n.Chance(self.args(tree), self.whole(tree))
        return n.Claim(self.last_expression(tree), self.whole(tree))

    def thing(self, tree: Tree[Any]) -> list[n.Thing]:
        if self.tokens(tree, "NOTHING"):
            return []
        count = next((int(t) for t in self.tokens(tree, "INT")), 1)
        cells = tuple(self.cell(c) for c in tree.children if isinstance(c, Tree))
        return [n.Thing(count, self.first_name(tree), cells, self.whole(tree))]
