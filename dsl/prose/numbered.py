"""Notes as numbers: citations by the place of their section in the rulebook, assumptions and errata in the order of the
register. In: a register. Out: the mark that stands behind a sentence. The list they lead to is made by the book.
"""

from __future__ import annotations

from attrs import define, field

from cambist.dsl import nodes as n
from cambist.dsl.prose.marks import marked
from cambist.dsl.register import Noted, Register

Place = tuple[str, str]  # a source's name and what is cited of it


@define
class Numbered:
    cites: dict[Place, int] = field(factory=dict)
    sections: list[Place] = field(factory=list)
    assumed: dict[tuple[str, int], int] = field(factory=dict)
    errata: dict[tuple[str, int], int] = field(factory=dict)

    def mark(self, notes: n.Notes, told: n.Notes = ()) -> str:
        """The marks of these notes, without those that were told for all around."""
        found: list[str] = []
        for note in notes:
            if note in told:
                continue
            match note:
                case n.Cite():
                    number = self.cites.get((note.source, note.place))
                    found.append("" if number is None else marked("cite", str(number), str(number)))
                case n.Assumed():
                    number = self.assumed.get((note.span.file.name, note.span.start))
                    found.append("" if number is None else marked("assumed", str(number), str(number)))
                case n.Erratum():
                    number = self.errata.get((note.span.file.name, note.span.start))
                    found.append("" if number is None else marked("erratum", str(number), str(number)))
        return "".join(dict.fromkeys(found))


def numbered(register: Register) -> Numbered:
    found = Numbered()
    for one in register.sections:
        if one.rules:
            _section(found, one.source.name.text, one.section.title)
            if one.section.number is not None:
                found.cites[(one.source.name.text, f"§{one.section.number}")] = len(found.sections)
    for cited in register.elsewhere:
        if (cited.note.source, cited.note.place) not in found.cites:
            _section(found, cited.note.source, cited.note.place)
    for number, assumption in enumerate(assumptions_of(register), 1):
        found.assumed[(assumption.span.file.name, assumption.span.start)] = number
    for number, erratum in enumerate(register.errata, 1):
        found.errata[(erratum.span.file.name, erratum.span.start)] = number
    return found


def assumptions_of(register: Register) -> list[Noted[n.Assumed]]:
    """Those that players need to know; a guide for bots is no rule."""
    return [one for one in register.assumptions if one.rule != "estimate"]


def _section(found: Numbered, source: str, place: str) -> None:
    found.sections.append((source, place))
    found.cites[(source, place)] = len(found.sections)
