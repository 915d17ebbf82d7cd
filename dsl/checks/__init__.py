"""Laws of the whole ruleset, one file each, run in this order after names and kinds are known."""

from cambist.dsl.checks import (
    citations,
    examples,
    forced_choices,
    loops,
    options,
    reachability,
    results,
    sizes,
    tie_policy,
    totality,
    unused,
    visibility,
)

CHECKS = (
    tie_policy.check,
    totality.check,
    forced_choices.check,
    visibility.check,
    reachability.check,
    loops.check,
    results.check,
    sizes.check,
    options.check,
    examples.check,
    unused.check,
)
STRICT = (citations.check,)
