"""W05xx: what is allowed but worth a look."""

from __future__ import annotations

from cambist.dsl.diagnostics import Diagnostic, Label
from cambist.dsl.messages.registry import code
from cambist.dsl.source import Span


@code("W0501")
def never_used(span: Span, what: str, name: str, if_right: bool) -> Diagnostic:
    """Something is declared and never used. Perhaps a rule is missing that should use it.

    Wrong:
        define lonely(n) = n + 1
    Right:
        define busy(n) = n + 1
        invariant counting: busy(1) = 2                             cites R"Counting"
    """
    return Diagnostic(
        "W0501",
        f"the {what} `{name}` is never used",
        Label(span, "declared here"),
        help="use it or take it out",
        severity="warning",
        about=name,
        if_right=if_right,
    )
