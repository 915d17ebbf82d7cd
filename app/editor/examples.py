"""Runs examples of a file for an editor, and keeps what came out until the text changes."""

from __future__ import annotations

from pathlib import Path

from attrs import define, field
from lsprotocol import types as lsp

from cambist.dsl import nodes as n
from cambist.dsl.ruleset import CheckedRuleset
from cambist.dsl.source import Span
from cambist.editor.documents import Known
from cambist.editor.findings import SOURCE, at_least_one
from cambist.editor.positions import Places
from cambist.interpreter.rule_tests import Outcome

RUN = "cambist.runExample"
SHORTEST_REASON = 80


def own_examples(known: Known) -> list[n.Example]:
    """Those that stand in the file itself."""
    changed = [d for p in known.tree.patches if isinstance(p, (n.Replace, n.AddPart)) for d in p.decls]
    found = [d for d in (*known.tree.decls, *changed) if isinstance(d, n.Example)]
    return sorted(found, key=lambda example: example.span.start)


def run(ruleset: CheckedRuleset, title: str | None) -> list[Outcome]:
    """One example by its title, or all: the inherited ones too."""
    from cambist.game import Game
    from cambist.interpreter.rule_tests import run_example

    game = Game(ruleset)
    examples = game.machine(game.players[0]).program.examples
    wanted = [(i, e) for i, e in enumerate(examples) if title is None or e.title == title]
    return [run_example(game.machine, index, example) for index, example in wanted]


@define
class Results:
    """What examples came to, of each file, as long as its text is the same."""

    _found: dict[Path, tuple[str, dict[str, Outcome]]] = field(factory=dict)

    def keep(self, known: Known, outcomes: list[Outcome]) -> None:
        text, found = self._found.get(known.path, ("", {}))
        if text != known.file.text:
            found = {}
        self._found[known.path] = (known.file.text, {**found, **{o.title: o for o in outcomes}})

    def of(self, known: Known) -> dict[str, Outcome]:
        text, found = self._found.get(known.path, ("", {}))
        return found if text == known.file.text else {}

    def findings(self, known: Known, places: Places) -> list[lsp.Diagnostic]:
        """Examples that failed, at the claim that does not hold."""
        found = []
        spans = {example.title: example.span for example in own_examples(known)}
        for title, outcome in self.of(known).items():
            if outcome.passed or title not in spans:
                continue
            at = outcome.at.span
            span = at if at.file.name == known.file.name else spans[title]
            found.append(
                lsp.Diagnostic(
                    range=places.range(at_least_one(span)),
                    message=f"the example “{title}” does not hold: {outcome.reason}",
                    severity=lsp.DiagnosticSeverity.Error,
                    source=f"{SOURCE} test",
                )
            )
        return found

    def lenses(self, known: Known, uri: str, places: Places) -> list[lsp.CodeLens]:
        outcomes = self.of(known)
        examples = own_examples(known)
        found = []
        for example in examples:
            title = _title(outcomes.get(example.title))
            command = lsp.Command(title=title, command=RUN, arguments=[uri, example.title])
            found.append(lsp.CodeLens(range=places.range(example.span), command=command))
        if len(examples) > 1:
            head = next((d.span for d in known.tree.decls if isinstance(d, n.Game)), None)
            head = known.tree.variant.span if known.tree.variant is not None else head
            where = places.range(head or Span(known.file, 0, 0))
            command = lsp.Command(title="▶ run all examples", command=RUN, arguments=[uri, None])
            found.insert(0, lsp.CodeLens(range=where, command=command))
        return found


def _title(outcome: Outcome | None) -> str:
    if outcome is None:
        return "▶ run this example"
    if outcome.passed:
        return "✓ it holds · run again"
    reason = outcome.reason if len(outcome.reason) <= SHORTEST_REASON else f"{outcome.reason[:SHORTEST_REASON]}…"
    return f"✗ it does not hold: {reason} · run again"


def told(outcomes: list[Outcome], title: str | None) -> str:
    """For a message on the screen."""
    failed = [o for o in outcomes if not o.passed]
    if title is not None and not outcomes:
        return f"there is no example “{title}”"
    if not outcomes:
        return "there are no examples"
    if title is not None:
        return (
            f"the example “{title}” holds" if not failed else f"the example “{title}” does not hold: {failed[0].reason}"
        )
    if not failed:
        return f"all {len(outcomes)} examples hold"
    return f"{len(failed)} of {len(outcomes)} examples do not hold; first “{failed[0].title}”: {failed[0].reason}"
