"""The command `cambist`: finds the command's file, and turns everything that can go wrong into words and an
exit code.

Only click is imported here and at the top of the commands' files: parser, interpreter and rich are loaded by
the command that needs them, so that `--help` comes at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import Any

import click

from cambist import __version__
from cambist.problems import BUG, FOUND, INTERRUPTED, READER_GONE, USAGE, UserError

COMMANDS = (
    "play",
    "games",
    "sources",
    "diff",
    "rulebook",
    "check",
    "test",
    "verify",
    "mutate",
    "assumptions",
    "explain",
    "simulate",
    "report",
    "compare",
    "bench",
    "profile",
    "strength",
    "compile",
    "record",
    "replay",
    "fmt",
    "flatten",
    "accept",
    "new",
    "lsp",
)
FILES = {"profile": "profile_lines"}  # no file is named like one of the standard library


class ReaderGone(Exception):
    """The pipe we write to is closed. Under its own name: click would make exit code 1 of a BrokenPipeError."""


class CommandGroup(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"cambist.commands.{FILES.get(cmd_name, cmd_name)}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            close = get_close_matches(args[0], COMMANDS, n=1)
            hint = f"did you mean `{close[0]}`?" if close else f"the commands are {', '.join(COMMANDS)}"
            raise UserError(f"there is no command `{args[0]}`", hint)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise ReaderGone from None

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        given = list(sys.argv[1:] if args is None else args)
        _speak_plainly()
        code = _guarded(lambda: super(CommandGroup, self).main(
            given, prog_name or "cambist", complete_var, standalone_mode=False, **extra
        ), debug="--debug" in given)  # fmt: skip
        if standalone_mode:
            sys.exit(code)
        return code


@click.group(
    "cambist",
    cls=CommandGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="`cambist COMMAND --help` tells more. GAME is a shipped game's name or the path of a .rules file.",
)
@click.option("--debug", is_flag=True, expose_value=False, help="Show where Cambist itself went wrong.")
@click.version_option(__version__, prog_name="cambist")
def cli() -> None:
    """Finance board games written as text: play them, check them, test them, try them out by the thousand."""


def main() -> None:
    cli.main()


# ---- everything that can go wrong


def _speak_plainly() -> None:
    """A terminal that lacks a character gets a stand-in, not an exception."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace" if stream is sys.stdin else "backslashreplace")


def _guarded(run: Any, debug: bool) -> int:
    try:
        code = run()
        if sys.stdout is not None:  # somebody may have closed it before we began
            sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except (ReaderGone, BrokenPipeError):
        # Python flushes once more on its way out; give it somewhere to write to
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return READER_GONE
    except (KeyboardInterrupt, click.Abort):
        click.echo("\ninterrupted", err=True)
        return INTERRUPTED
    except Exception as error:
        return _tell(error, debug)


def _tell(error: Exception, debug: bool) -> int:
    """The words for an error and its exit code. What only some commands need is imported only here."""
    if isinstance(error, click.exceptions.Exit):
        return error.exit_code
    if isinstance(error, UserError):
        return _say(error.what, error.remedy, error.code)
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        click.echo(error.format_message(), err=True)
        return USAGE
    if isinstance(error, click.UsageError):
        where = f"`{error.ctx.command_path} --help` tells how it is used" if error.ctx else ""
        return _say(error.format_message().rstrip("."), where, USAGE)
    if isinstance(error, click.ClickException):
        return _say(error.format_message(), "", USAGE)
    from cambist import Fault, OptionError, RulesError, SaveError

    if isinstance(error, RulesError):
        return _tell_rules(error.diagnostics)
    if isinstance(error, Fault):
        return _tell_rules((error.diagnostic,))
    if isinstance(error, OptionError):
        return _say(str(error), error.remedy or "`cambist games NAME` lists what a game can be set to", USAGE)
    if isinstance(error, SaveError):
        return _say(error.what, error.remedy, FOUND)
    if isinstance(error, OSError):
        what = f"{error.filename}: " if error.filename is not None else ""
        return _say(f"{what}{error.strerror or error}", "check the name, the rights and the space left", FOUND)
    return _tell_bug(error, debug)


def _tell_rules(diagnostics: Any) -> int:
    from cambist.dsl.render import render_all

    click.echo(render_all(diagnostics), err=True)
    return USAGE if all(is_missing(d) for d in diagnostics) else FOUND


def is_missing(diagnostic: Any) -> bool:
    """The named file is not there at all: wrong usage, not a fault of its rules."""
    return diagnostic.code == "E0015" and not diagnostic.primary.span.file.text


def _tell_bug(error: Exception, debug: bool) -> int:
    if debug:
        import traceback

        traceback.print_exception(error)
    what = f"{type(error).__name__}: {error}".splitlines()[0][:200]
    return _say(
        f"something is wrong in Cambist itself ({what}); please report it",
        "" if debug else "`cambist --debug …` shows where; add that to the report",
        BUG,
    )


def _say(what: str, remedy: str, code: int) -> int:
    from cambist.dsl.render import printable

    click.echo(f"error: {printable(what)}", err=True)
    if remedy:
        click.echo(f"help: {printable(remedy)}", err=True)
    return code
