"""Typed facts in the past tense, each with why. Generic: the game's words are values in them, never classes."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from cambist.dsl.program import At, Meaning


@frozen
class Moved:
    components: tuple[int, ...]
    sources: tuple[int, ...]  # the zone each lay in
    to: int
    at: At
    places: tuple[int, ...] = ()  # how deep each lay there


@frozen
class Transferred:
    amount: int  # in steps of the unit
    source: int
    to: int
    at: At


@frozen
class Changed:
    """A variable was set, or a marker moved on a track."""

    index: int
    value: object
    at: At


@frozen
class Shuffled:
    zone: int
    order: tuple[int, ...]  # the outcome: place of each component before
    at: At


@frozen
class Drawn:
    """A random outcome: the places drawn out of so many, and what stood there."""

    outcome: tuple[int, ...]
    out_of: int
    drawn: tuple[int, ...]
    meaning: Meaning
    at: At


@frozen
class Revealed:
    zones: tuple[int, ...]
    shown: bool
    at: At


@frozen
class Answered:
    choice: int
    player: int
    answer: tuple[Any, ...]
    sealed: bool
    forced: bool  # the only answer there was
    at: At
    lay_in: tuple[int, ...] = ()  # the zones of the cards that were picked


@frozen
class Entered:
    procedure: int
    args: tuple[object, ...]
    at: At


@frozen
class Marked:
    name: str
    limit: bool
    at: At


@frozen
class RolledBack:
    at: At
    where: tuple[int, ...] = ()  # the zone of each component, now as before


@frozen
class Ended:
    reason: str
    at: At


Event = Moved | Transferred | Changed | Shuffled | Drawn | Revealed | Answered | Entered | Marked | RolledBack | Ended
