"""`cambist lsp`: the language server that editors start."""

from __future__ import annotations

import sys
from importlib.util import find_spec

import click

from cambist.problems import UserError


@click.command("lsp", short_help="Answer an editor: the language server.")
def command() -> int:
    """Speak the language server protocol over standard input and output. Editors start it; see docs/editors.md.

    Diagnostics while typing, hover, definitions, references, completion, renaming, outline, formatting, remedies, and a
    lens on every example that runs it.
    """
    if find_spec("pygls") is None:
        raise UserError("the language server needs pygls, which is not installed", "pip install 'cambist[editor]'")
    if sys.stdin.isatty():
        raise UserError(
            "an editor starts `cambist lsp` and speaks with it; there is nothing to type here",
            "docs/editors.md tells how to set up yours",
        )
    from cambist.editor.server import serve

    return serve()
