"""Numbers with a point -> complaints about those that are finer than their unit's step.

Which unit a number is in only lowering knows. So what such a number stands in is lowered for a try, and nothing else:
a rule that it runs or asks has no number with a point, or is tried itself.
"""

from __future__ import annotations

import re

import attrs

from cambist.dsl import nodes as n
from cambist.dsl.diagnostics import Report
from cambist.dsl.kinds import Kind
from cambist.dsl.lower import Lowering
from cambist.dsl.lower_examples import ExampleLowerer
from cambist.dsl.lower_laws import lower_law, lower_measure
from cambist.dsl.lower_shows import lower_show
from cambist.dsl.ruleset import CheckedRuleset


def check_fractions(ruleset: CheckedRuleset, report: Report) -> None:
    """Everything else about the rules is known to be right."""
    _Trial(ruleset, report).complain()


POINT = re.compile(r"[0-9]\.[0-9]")  # a number with a point looks so, and little else does


def _doubtful(clause: n.Clause) -> n.Clause:
    facts = tuple(f for f in clause.facts if isinstance(f, n.Named) or POINT.search(f.span.text))
    return attrs.evolve(clause, facts=facts, acts=())


RANKED = (n.Score, n.Winner)  # lowered together


class _Trial(Lowering):
    def __init__(self, ruleset: CheckedRuleset, report: Report) -> None:
        super().__init__(ruleset, ruleset.players[-1], {}, report)
        self.doubtful = {id(decl) for decl in ruleset.with_fractions}
        ranked = RANKED if any(isinstance(decl, RANKED) for decl in ruleset.with_fractions) else ()
        others = [d for d in self.symbols.others if id(d) in self.doubtful or isinstance(d, ranked)]
        self.symbols = attrs.evolve(self.symbols, others=others)

    def complain(self) -> None:
        self.make_tables()
        zones = self.zone_families()
        self.account_families()
        self.variable_families()
        for (name, kinds), instance in self.ruleset.inferred.instances.items():
            if isinstance(instance.decl, n.Define):
                self.function(name, kinds)
            elif isinstance(instance.decl, n.Procedure):
                self.procedure(name, kinds)
        self.triggers(zones)
        self.scoring()
        self.estimate()
        for decl in self.symbols.others:
            if isinstance(decl, n.Show):
                lower_show(self, decl)
            elif isinstance(decl, n.Property):
                (lower_measure if decl.word == "measure" else lower_law)(self, decl)
            elif isinstance(decl, n.Example):
                self.example(decl)

    def example(self, decl: n.Example) -> None:
        """Of an example, the facts with such a number, and who is in it."""
        lowerer = ExampleLowerer(self, decl)
        lowerer.decl = attrs.evolve(decl, clauses=tuple(map(_doubtful, decl.clauses)))
        lowerer.example()

    def function(self, name: str, kinds: tuple[Kind, ...]) -> int:
        return super().function(name, kinds) if id(self.instance((name, kinds)).decl) in self.doubtful else 0

    def procedure(self, name: str, kinds: tuple[Kind, ...]) -> int:
        if id(self.instance((name, kinds)).decl) in self.doubtful:
            return super().procedure(name, kinds)
        return self.procedure_index.setdefault((name, kinds), 0)  # laws are asked only after what can be run

    def _shape(self, decl: n.Decl) -> str:
        return ""  # nobody asks for digests
