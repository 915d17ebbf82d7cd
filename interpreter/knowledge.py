"""What one player can know of each card, followed from event to event: the cards that it may be.

In: the events of a game, a seat (-1: a spectator). Out: for every card that lies where the seat does not see it, the
set of cards that it may be. Truth is always among them, and no set depends on what the seat could not tell.

A card is known while it is seen, and stays known under the cards it is laid under, in the hand it was seen to go to,
wherever: until it may have been mixed with others. Cards mix when a hidden zone is shuffled, when one leaves a hidden
bag unseen, and when one is taken unseen out of the middle of a hidden pile. What is seen is struck off all other cards.

Sets of cards are whole numbers, a bit for each card. What rules imply is not known here: that a player who passed had
nothing to play, that a hand without a suit must follow; nor which cards were taken from a pile by what is printed
on them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cambist.dsl import program as p
from cambist.interpreter import events as e
from cambist.interpreter.state import State
from cambist.interpreter.views import sees


class Knowledge:
    def __init__(self, program: p.Program, seat: int) -> None:
        self.program = program
        self.seat = seat
        self.heard = 0  # events taken in so far
        self.families = [(family, place) for family in program.zones for place in range(family.count)]
        self.bags = [family.order == "bag" for family, _ in self.families]
        self.open = [sees(family, place, seat, False) for family, place in self.families]
        self.counted = [self.open[z] or not family.count_hidden for z, (family, _) in enumerate(self.families)]
        self.where = [component.home for component in program.components]
        self.sizes = [0] * len(self.families)
        self.may_be: list[int] = [0] * len(program.components)  # the set of cards that each card may be
        self.unclear: list[set[int]] = []  # zones between which cards may have gone without being counted
        decks: dict[int, list[int]] = {}
        for number, home in enumerate(self.where):
            self.sizes[home] += 1
            self.may_be[number] = 1 << number
            decks.setdefault(home, []).append(number)
        for home, cards in decks.items():  # what is in a deck is told by the rules, in which order it lies is not
            if not self.open[home]:
                self._mix(cards)

    def copy(self) -> Knowledge:
        new = Knowledge.__new__(Knowledge)
        new.__dict__.update(self.__dict__)
        new.open, new.counted, new.where = self.open[:], self.counted[:], self.where[:]
        new.sizes, new.may_be = self.sizes[:], self.may_be[:]
        new.unclear = [set(group) for group in self.unclear]
        return new

    def hear(self, events: Sequence[e.Event]) -> None:
        """Take in what has happened since the last time; `events` are all of the game."""
        for event in events[self.heard :]:
            match event:
                case e.Moved():
                    self._moved(event)
                case e.Shuffled():
                    if not self.open[event.zone]:
                        self._mix(self._lying(event.zone))
                case e.Revealed():
                    self._revealed(event)
                case e.RolledBack():
                    self._put(range(len(event.where)), event.where)
                case _:
                    pass
        self.heard = len(events)

    def fits(self, state: State) -> bool:
        """Whether the events lead to this state: not if the match did not begin at the beginning."""
        return self.where == state.where

    # ---- events

    def _lying(self, zone: int) -> list[int]:
        return [card for card, there in enumerate(self.where) if there == zone]

    def _mix(self, cards: Iterable[int]) -> None:
        """Nobody can tell any longer which of these is which."""
        cards = list(cards)
        together = 0
        for card in cards:
            together |= self.may_be[card]
        for card in cards:
            self.may_be[card] = together

    def _see(self, card: int, beside: Iterable[int]) -> None:
        """A card is seen that came from among `beside`: any of those that may have been it."""
        bit = 1 << card
        self._mix(other for other in beside if self.may_be[other] & bit)
        self.may_be = [cards & ~bit for cards in self.may_be]
        self.may_be[card] = bit

    def _put(self, cards: Iterable[int], zones: Iterable[int]) -> None:
        for card, zone in zip(cards, zones, strict=True):
            self.sizes[self.where[card]] -= 1
            self.where[card] = zone
            self.sizes[zone] += 1

    def _moved(self, event: e.Moved) -> None:
        for source in dict.fromkeys(event.sources):
            if self.open[source]:
                continue
            gone = [card for card, zone in zip(event.components, event.sources, strict=True) if zone == source]
            depths = {depth for depth, zone in zip(event.places, event.sources, strict=True) if zone == source}
            in_order = not self.bags[source] and self._from_an_end(depths, self.sizes[source])
            lying = self._lying(source)
            if self.open[event.to]:
                for card in gone:
                    self._see(card, () if in_order else lying)
                if not in_order and not self.bags[source]:
                    self._mix(card for card in lying if card not in gone)
            elif not in_order:
                self._mix(lying)
            if not self.counted[source] and not self.counted[event.to]:
                self._mix([*lying, *self._lying(event.to)])
                self._blur(source, event.to)
        self._put(event.components, [event.to] * len(event.components))

    @staticmethod
    def _from_an_end(depths: set[int], size: int) -> bool:
        """From the top or from below, or all of it: everybody could see which cards these are."""
        count = len(depths)
        return depths == set(range(count)) or depths == set(range(size - count, size))

    def _blur(self, *zones: int) -> None:
        """How many of these lie in which of the two is not known any more."""
        joined = set(zones)
        for group in self.unclear:
            if group & joined:
                joined |= group
        self.unclear = [group for group in self.unclear if not group & joined] + [joined]

    def _revealed(self, event: e.Revealed) -> None:
        for zone in event.zones:
            family, place = self.families[zone]
            before = self.open[zone]
            self.open[zone] = sees(family, place, self.seat, event.shown and family.until_revealed)
            self.counted[zone] = self.open[zone] or not family.count_hidden
            if self.open[zone] and not before:
                lying = self._lying(zone)
                for card in lying:
                    self._see(card, lying if self.bags[zone] else ())
                self.unclear = [rest for group in self.unclear if len(rest := group - {zone}) > 1]


def without_memory(program: p.Program, seat: int, state: State) -> Knowledge:
    """For a state that no events lead to: a hidden card may be any hidden card of its deck."""
    found = Knowledge(program, seat)
    for zone in state.revealed:
        family, place = found.families[zone]
        found.open[zone] = sees(family, place, seat, family.until_revealed)
    found.where = state.where[:]
    decks: dict[int, list[int]] = {}
    for card, zone in enumerate(state.where):
        found.may_be[card] = 1 << card
        if not found.open[zone]:
            decks.setdefault(program.components[card].home, []).append(card)
    for cards in decks.values():
        found._mix(cards)
    return found
