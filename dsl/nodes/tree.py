"""What stands in the first column of a file, all together."""

from __future__ import annotations

from cambist.dsl.nodes.declarations import (
    Account,
    Card,
    Deck,
    Define,
    Enum,
    Estimate,
    Game,
    Option,
    Procedure,
    Property,
    Score,
    Show,
    Table,
    Track,
    Unit,
    Use,
    Variable,
    Whenever,
    Winner,
    Zone,
)
from cambist.dsl.nodes.examples import Example

Decl = (
    Game | Use | Enum | Card | Deck | Option | Table | Unit | Account | Variable | Track | Zone |
    Define | Procedure | Whenever | Score | Estimate | Winner | Property | Example | Show
)  # fmt: skip
