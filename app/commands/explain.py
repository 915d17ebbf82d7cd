"""`cambist explain`: what a code means, with a wrong and a right example."""

from __future__ import annotations

from typing import Any

import click

from cambist.commands.arguments import json_option, write_json
from cambist.problems import UserError


@click.command("explain", short_help="Explain the code of a message.")
@click.argument("code", required=False)
@json_option
def command(code: str | None, as_json: bool) -> None:
    """Explain a code of a message, such as E0101; without CODE list them all."""
    codes = all_codes()
    if code is None:
        write_json(list(codes.values())) if as_json else _list(codes)
        return
    wanted = code.upper().strip("[]:")
    if wanted not in codes:
        from cambist.dsl.messages.registry import did_you_mean

        hint = did_you_mean(wanted, codes) or "`cambist explain` lists all codes"
        raise UserError(f"there is no code `{code}`", hint)
    if as_json:
        write_json(codes[wanted])
    else:
        found = codes[wanted]
        click.echo(f"{found['code']} {found['name']}".rstrip() + f"\n\n{found['text']}")


def all_codes() -> dict[str, dict[str, Any]]:
    """E and W codes of checking, R codes of running, in order."""
    from cambist.dsl.messages import CODES
    from cambist.dsl.messages.registry import blocks
    from cambist.interpreter.faults import EXPLANATIONS

    found: dict[str, dict[str, Any]] = {}
    for code in CODES.values():
        shown = blocks(code.text)
        examples = {name.lower(): shown[name] for name in ("Wrong", "Right") if name in shown}
        found[code.code] = {"code": code.code, "name": code.name, "text": code.text, **examples}
    for number, text in EXPLANATIONS.items():
        found[number] = {"code": number, "name": "", "text": text}
    return dict(sorted(found.items()))


def _list(codes: dict[str, dict[str, Any]]) -> None:
    for code in codes.values():
        click.echo(f"{code['code']}  {code['name'] or code['text'].splitlines()[0]}")
    click.echo("\nE: the rules are refused; W: worth a look; R: while a game runs.")
