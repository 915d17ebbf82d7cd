"""Lark tree -> the heads of files: `game`, `variant`, `library` with their sources and sections; `use`."""

from __future__ import annotations

from typing import Any

from attrs import define, field
from lark import Token, Tree

from cambist.dsl import messages as say
from cambist.dsl import nodes as n
from cambist.dsl.build_statements import StatementBuilder
from cambist.dsl.source import Span


@define
class Head:
    """The lines below the first, gathered."""

    players_span: Span
    players: tuple[int, int] | None = None
    sources: list[n.Source] = field(factory=list)
    needs: list[n.Name] = field(factory=list)
    offers: list[n.Name] = field(factory=list)
    renames: list[tuple[n.Name, n.Name]] = field(factory=list)


class HeadBuilder(StatementBuilder):
    def decl_game(self, tree: Tree[Any]) -> n.Game:
        head = self._head_lines(tree)
        for old, _ in head.renames:
            self.report.add(say.patch_outside(old.span, "rename"))
        return n.Game(
            self.first_name(tree),
            self.string(tree),
            tree.data == "library",
            head.players,
            tuple(head.sources),
            tuple(head.needs),
            tuple(head.offers),
            self.notes_of(tree),
            head.players_span,
            self.head(tree),
        )

    decl_library = decl_game

    def variant(self, tree: Tree[Any]) -> n.Variant:
        head = self._head_lines(tree)
        name, base = self.tokens(tree, "NAME")
        stack = []
        for part in self.trees(tree, "stacked"):
            one, *after = self.tokens(part, "NAME")
            stack.append(n.Stacked(self.name(one), self.name(after[0]) if after else None, self.whole(part)))
        for need in (*head.needs, *head.offers):
            allowed = ("`players`", "`source`", "`rename`")
            self.report.add(say.unexpected(need.span, f"`{need.text}`", allowed, "only a `library` needs and offers"))
        return n.Variant(
            self.name(name),
            self.name(base),
            self.string(tree),
            head.players,
            tuple(head.sources),
            tuple(head.renames),
            tuple(stack),
            self.notes_of(tree),
            head.players_span,
            self.head(tree),
        )

    def _head_lines(self, tree: Tree[Any]) -> Head:
        head = Head(self.head(tree))
        for line in tree.children:
            if not isinstance(line, Tree):
                continue
            if line.data == "players_range":
                low, high = (int(t) for t in self.tokens(line, "INT"))
                head.players, head.players_span = (low, high), self.whole(line)
            elif line.data == "source":
                head.sources.append(self._source(line))
            elif line.data == "renames":
                for pair in self.trees(line, "new_name"):
                    old, new = self.tokens(pair, "NAME")
                    head.renames.append((self.name(old), self.name(new)))
            elif line.data == "needs":
                head.needs += self.names(line)
            elif line.data == "offers":
                head.offers += self.names(line)
        return head

    def _source(self, line: Tree[Any]) -> n.Source:
        words = self.tokens(line, "NAME", "INT")[1:]
        language, sections = "", None
        while words:
            word, following, *rest = words
            if str(word) == "language" and following.type == "NAME":
                language, words = str(following), rest
            elif str(word) == "sections" and following.type == "INT":
                sections, words = (int(following), int(rest[0])), rest[1:]
            else:
                self.complain(word, ("`language`", "`sections`"))
                break
        headings = tuple(s for part in self.trees(line, "section") for s in self._sections(part))
        return n.Source(self.first_name(line), self.string(line), language, sections, headings, self.head(line))

    def _sections(self, tree: Tree[Any]) -> list[n.Section]:
        number = next((int(t) for t in self.tokens(tree, "INT")), None)
        stands_for = []
        for reference in self.trees(tree, "reference"):
            quoted = self.tokens(reference, "STRING")
            place = str(quoted[0])[1:-1] if quoted else f"§{self.tokens(reference, 'INT')[0]}"
            stands_for.append(n.Cite(str(self.tokens(reference, "NAME")[0]), place, self.whole(reference)))
        reason = ""
        for part in self.trees(tree, "no_rule"):
            word = self.tokens(part, "NAME")[0]
            if str(word) != "rule":
                self.complain(word, ("`rule`",))
            reason = self.string(part)
        return [
            n.Section(str(title)[1:-1], number, tuple(stands_for), reason, self.span(title))
            for title in self.tokens(tree, "STRING")
        ]

    def decl_use(self, tree: Tree[Any]) -> n.Use:
        bindings = []
        for binding in self.trees(tree, "binding"):
            need, *given = self.tokens(binding, "NAME")
            bindings.append((self.name(need), self._joined(given)))
        return n.Use(self.first_name(tree), tuple(bindings), self.notes_of(tree), self.head(tree))

    def dotted(self, tree: Tree[Any]) -> n.Name:
        """`name`, or `module.name` as one name."""
        return self._joined(self.tokens(tree, "NAME"))

    def _joined(self, parts: list[Token]) -> n.Name:
        return n.Name(".".join(str(t) for t in parts), self.span(parts[0]).to(self.span(parts[-1])))
