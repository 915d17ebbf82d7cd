"""`cambist sources`: which rules stand for which section of the rulebook, and all that is assumed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cambist.commands.arguments import game_argument, json_option, load, write_json

if TYPE_CHECKING:
    from cambist.dsl.register import Cited, Noted, Register
    from cambist.game import Game

MOST_SHOWN = 6  # rules of one section; the rest is counted


@click.command("sources", short_help="Show which rules stand for which section of the rulebook.")
@game_argument
@json_option
def command(game: str, as_json: bool) -> None:
    """The sections of the rulebook with the rules that cite them, those that nothing cites, and the register of
    assumptions and errata."""
    from cambist.dsl.register import register

    loaded = load(game)
    found = register(loaded.ruleset)
    if as_json:
        write_json(_data(loaded, found))
    else:
        _show(loaded, found)


def _data(game: Game, found: Register) -> dict[str, Any]:
    return {
        "game": game.name,
        "sections": len(found.sections),
        "cited": sum(bool(s.rules) for s in found.sections),
        "uncited": [s.section.title for s in found.sections if s.missing],
        "headings": [_section(s) for s in found.sections],
        "elsewhere": [{**_place(x), "source": x.note.source, "section": x.note.place} for x in found.elsewhere],
        "assumptions": [
            {**_place(x), "because": x.note.because, "per": x.note.per, "others": list(x.note.others)}
            for x in found.assumptions
        ],
        "errata": [{**_place(x), "wrong": x.note.wrong, "because": x.note.because} for x in found.errata],
    }


def _section(found: Cited) -> dict[str, Any]:
    return {
        "source": found.source.name.text,
        "title": found.section.title,
        "number": found.section.number,
        "no_rule": found.section.no_rule or None,
        "rules": [_place(x) for x in found.rules],
    }


def _place(found: Noted[Any]) -> dict[str, Any]:
    return {"rule": found.rule, "file": found.span.file.name, "line": found.span.line}


# ---- for people


def _show(game: Game, found: Register) -> None:
    from cambist.dsl.render import printable

    def say(*lines: str) -> None:
        for line in lines:
            click.echo(printable(line))

    say(f"{game.title} ({game.name})")
    files = {s.source.name.text: s.source.file for s in found.sections}
    for name, file in files.items():
        say("", f"{name} is {file}")
        for one in found.sections:
            if one.source.name.text == name:
                for line in _section_lines(one):
                    say(line)
    if not found.sections:
        say("", 'no sections of a rulebook are declared; write them below `source`, as `section "The end"`')
    if found.assumptions:
        say("", f"{len(found.assumptions)} assumed")
        for x in found.assumptions:
            note = x.note
            per = f" (per {note.per})" if note.per else ""
            others = f"; else {', '.join(note.others)}" if note.others else ""
            say(f"  {x.rule} ({_line(x)}): {note.because}{per}{others}")
    if found.errata:
        say("", f"{len(found.errata)} read otherwise than printed")
        for wrong in found.errata:
            say(f"  {wrong.rule} ({_line(wrong)}): {wrong.note.wrong}: {wrong.note.because}")
    missing = [s.section.title for s in found.sections if s.missing]
    cited = sum(bool(s.rules) for s in found.sections)
    told = f"{len(found.sections)} sections, {cited} cited, {len(found.sections) - cited - len(missing)} without a rule"
    say("", told + (f"; nothing cites: {', '.join(missing)}" if missing else ""))


def _line(found: Noted[Any]) -> str:
    return f"{found.span.file.name.rpartition('/')[2]}:{found.span.line}"


def _section_lines(one: Cited) -> list[str]:
    number = f"{one.section.number}. " if one.section.number is not None else ""
    title = f"  {number}{one.section.title}"
    if one.section.no_rule:
        return [f"{title}: no rule, {one.section.no_rule}"]
    if not one.rules:
        return [f"{title}: NOTHING CITES THIS"]
    names = list(dict.fromkeys(x.rule for x in one.rules))
    more = f" and {len(names) - MOST_SHOWN} more" if len(names) > MOST_SHOWN else ""
    return [title, f"      {', '.join(names[:MOST_SHOWN])}{more}"]
