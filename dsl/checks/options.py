"""Options go together as they are if nobody sets them, and as examples set them; each value can be chosen (advice)."""

from __future__ import annotations

from cambist.dsl import messages as say
from cambist.dsl import nodes as n
from cambist.dsl.diagnostics import Report
from cambist.dsl.ruleset import CheckedRuleset
from cambist.dsl.settings import (
    allowed,
    broken,
    defaults,
    fits,
    impossible,
    named,
    not_plain,
    plain_value,
    way_out,
    written,
)


def check(ruleset: CheckedRuleset, report: Report) -> None:
    options = ruleset.options
    if report.lost or not any(option.conditions for option in options.values()):
        return
    if not all(_judged(option, options) for option in options.values()):
        return  # which is told already
    usual = defaults(options)
    clashes = list(broken(options, usual))
    for one in clashes:
        span = one.option.default.span
        remedy = way_out(options, usual, one, ()) or one.remedy
        report.add(say.settings_clash(span, one.told(usual), "unless it is set", one.condition.span, remedy))
    if not clashes:
        _examples(ruleset, report)
    for option, never in impossible(options):
        all_of_them = len(never) == len(allowed(option))
        report.add(say.never_allowed(option.name.span, option.name.text, map(written, never), all_of_them))


def _examples(ruleset: CheckedRuleset, report: Report) -> None:
    options = ruleset.options
    for example in ruleset.examples:
        facts = [f for clause in example.clauses for f in clause.facts if isinstance(f, n.WithOption)]
        own = {fact.name.text: plain_value(fact.value) for fact in facts if fact.name.text in options}
        if not all(fits(options[name], value) for name, value in own.items()):
            continue  # which is told already
        whole = defaults(options) | own
        for one in broken(options, whole):
            names = (one.option.name.text, *one.others)
            span = next((fact.span for fact in facts if fact.name.text in names), example.span)
            remedy = way_out(options, whole, one, ()) or one.remedy
            report.add(say.settings_clash(span, one.told(own), "set here", one.condition.span, remedy))


def _judged(option: n.Option, options: dict[str, n.Option]) -> bool:
    """Whether its default and conditions are of the right form."""
    values = {value.text for other in options.values() for value in other.values}
    if not isinstance(option.default, (n.Number, n.Ref, n.Truth)) or not fits(option, plain_value(option.default)):
        return False
    for condition in option.conditions:
        if not_plain(condition.test) is not None:
            return False
    return all(name in options or name in values for c in option.conditions for name in named(c.test))
