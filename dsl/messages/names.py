"""E01xx: names, parts and imports."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from cambist.dsl.diagnostics import Diagnostic, Edit, Label
from cambist.dsl.messages.meant import SCORE, in_square_brackets, meant_by
from cambist.dsl.messages.registry import code, did_you_mean, listed, nearest
from cambist.dsl.source import Span

MOST_LISTED = 8
SYNONYMS = {
    "true": "yes",
    "false": "no",
    "null": "nobody",
    "nil": "nobody",
    "None": "nobody",
    "True": "yes",
    "False": "no",
    "int": "number",
    "integer": "number",
    "bool": "flag",
    "boolean": "flag",
    "everyone": "all",
    "everybody": "all",
    "self": "owner",
}
"""What other languages and other authors call things of this one."""


def _suggest(span: Span, name: str, candidates: Iterable[str]) -> tuple[str, Edit | None]:
    known = sorted({*candidates, *(("yes", "no") if name.lower() in ("true", "false") else ())} - {name})
    meant = SYNONYMS.get(name, "")
    meant = meant if meant in known else nearest(name, known)
    if meant:
        before = name.removesuffix(span.text) if name != span.text else ""  # `shop.bye`: only what is behind the dot
        fits = meant.startswith(before) and name.endswith(span.text)
        return f"did you mean `{meant}`?", Edit(span, meant.removeprefix(before)) if fits else None
    hint = did_you_mean(name, known)
    if hint:
        return hint, None
    if 0 < len(known) <= MOST_LISTED:
        return f"known here: {listed(known, MOST_LISTED)}", None
    return ("declare it, or check how it is spelled" if known else ""), None


@code("E0101")
def unknown_name(
    span: Span, name: str, candidates: Iterable[str], hint: str = "", fitting: Collection[str] | None = None
) -> Diagnostic:
    """A name is used that nothing declares.

    Wrong:
        define shown = size of shelve
    Right:
        define shown = size of shelf
    """
    help, fix = meant_by(span, name)
    if not help:
        help, fix = _suggest(span, name, candidates)
        if fix is not None and fitting is not None and fix.text not in fitting:
            fix = None  # near, but what stands around it would be wrong then
        help = hint if hint and fix is None else help
    return Diagnostic(
        "E0101", f"nothing is called `{name}`", Label(span, "not declared"), help=help, fix=fix, about=name
    )


@code("E0102")
def declared_twice(span: Span, name: str, first: Span, help: str = "rename one of them") -> Diagnostic:
    """Two things have one name. Each name has one meaning in a ruleset.

    Wrong:
        variable rounds: number = 0
        variable rounds: number = 1
    Right:
        variable rounds: number = 0
        variable bids: number = 1
    """
    return Diagnostic(
        "E0102",
        f"`{name}` is declared twice",
        Label(span, "again here"),
        (Label(first, "first declared here"),),
        help=help,
    )


@code("E0103")
def unknown_field(span: Span, name: str, owner: str, candidates: Iterable[str], hint: str = "") -> Diagnostic:
    """Something is reached by a dot that its owner does not have.

    Wrong:
        define riches(p) = p.chash
    Right:
        define riches(p) = p.cash
    """
    help, fix = _suggest(span, name, candidates)
    return Diagnostic(
        "E0103",
        f"{owner} has no `{name}`",
        Label(span, "not declared for it"),
        help=hint or (SCORE if name == "score" and fix is None else help),
        fix=None if hint else fix,
        about=name,
    )


def belongs_to_nobody(span: Span, name: str, owner: str, declared: Span) -> Diagnostic:
    """E0103 for something that there is once for all."""
    return Diagnostic(
        "E0103",
        f"{owner} has no `{name}`",
        Label(span, "there is one for all"),
        (Label(declared, "declared without `of each`"),),
        help=f"write `{name}` alone, or declare it `of each player`",
        once=name,
        about=name,
    )


@code("E0104")
def wrong_number_of_arguments(span: Span, name: str, expected: int, found: int, declared: Span | None) -> Diagnostic:
    """A definition, phase or procedure gets more or fewer things in brackets than it was declared with.

    Wrong:
        define double(n) = n + n
        define four = double(1, 1)
    Right:
        define double(n) = n + n
        define four = double(2)
    """
    others = (Label(declared, "declared here"),) if declared else ()
    things = f"{expected} thing{'s' if expected != 1 else ''}" if expected else "nothing"
    return Diagnostic(
        "E0104",
        f"`{name}` takes {things} in brackets, not {found}",
        Label(span, f"{found or 'none'} given"),
        others,
        help=f"give it {expected}" if expected else "leave the brackets out",
        about=name,
    )


def base_gives_others(declared: Span, name: str, expected: int, found: int, used: Span) -> Diagnostic:
    """E0104 for a part that a variant has replaced: what runs it is the base's, and told once."""
    return Diagnostic(
        "E0104",
        f"`{name}` takes {expected or 'nothing'} in brackets, and the base gives it {found or 'nothing'}",
        Label(declared, "replaced here"),
        (Label(used, f"{found or 'none'} given"),),
        help="give it the parameters that it has in the base",
        once=f"{name} of the base",
        about=name,
    )


def table_in_brackets(span: Span, name: str, declared: Span) -> Diagnostic:
    """E0104 for a table that is asked like a definition."""
    return Diagnostic(
        "E0104",
        f"`{name}` is a table, and stands before square brackets",
        Label(span, "a table"),
        (Label(declared, "declared here"),),
        help=f"write `{name}[…]`",
        fix=in_square_brackets(span),
        about=name,
    )


def wrong_number_of_owners(span: Span, name: str, owners: list[str], found: int, declared: Span) -> Diagnostic:
    """E0104 for what belongs to several together, as `stake(p, k)` of each player, color."""
    return Diagnostic(
        "E0104",
        f"`{name}` is of each {', '.join(owners)}: it needs {len(owners)}, not {found}",
        Label(span, f"{found or 'none'} given"),
        (Label(declared, "declared here"),),
        help=f"write `{name}({', '.join(o[:1] for o in owners)})`",
        about=name,
    )


def too_many_fields(span: Span, name: str, has: int, declared: Span) -> Diagnostic:
    """E0104 for a card with more values behind its name than it has fields."""
    return Diagnostic(
        "E0104",
        f"`{name}` has {has or 'no'} field{'s' if has != 1 else ''}, and here is one more",
        Label(span, "too many"),
        (Label(declared, "declared here"),),
        help="leave it out",
        about=name,
    )


@code("E0105")
def unknown_library(span: Span, name: str, candidates: Iterable[str]) -> Diagnostic:
    """`use` names a module that neither stands beside the rules nor in the library.

    Wrong:
        define standing(p) = p.cash
        use rankings
    Right:
        define standing(p) = p.cash
        use ranking
    """
    help, fix = _suggest(span, name, candidates)
    return Diagnostic("E0105", f"there is no module `{name}`", Label(span, "not found"), help=help, fix=fix, about=name)


@code("E0106")
def import_cycle(span: Span, chain: tuple[str, ...]) -> Diagnostic:
    """A file uses itself, directly or through others, so there is no first one to read.

    Take out one of the `use` lines, or move what both need into a third file.
    """
    return Diagnostic(
        "E0106",
        f"`{chain[-1]}` uses itself: {' -> '.join(chain)}",
        Label(span, "closes the circle"),
        help="take out one of these `use` lines",
    )


@code("E0107")
def bad_sheet(span: Span, why: str, help: str = "", fix: Edit | None = None) -> Diagnostic:
    """A sheet (a YAML file) does not say what the rules expect.

    A sheet of components has `sheet: 1` and `cards:`, a list with one entry for each kind of card: its `card`, how many
    (`count`, 1 if left out) and a value for each field. Anchors, tags and numbers with a point are refused.

    A sheet of values, which a track starts from, has `sheet: 1`, `stated:` for what the rulebook says and `assumed:`
    with `because:` for what it does not: `red: 3`, or `red: {blue: 1.5}` for what is of each two.
    """
    return Diagnostic(
        "E0107",
        f"the sheet is wrong: {why}",
        Label(span, "in the sheet" if span.file.text else ""),
        help=help,
        fix=fix,
    )


FLAG_WORDS = {"true": "yes", "on": "yes", "false": "no", "off": "no"}


@code("E0108")
def bad_option(span: Span, name: str, value: str, allowed: str, names: Collection[str] = ()) -> Diagnostic:
    """An option has a value outside what it allows; or it is neither a range of numbers, nor names, nor a `flag`.

    Wrong:
        option rounds: 1..5 = 9                                     cites R"End"
    Right:
        option rounds: 1..5 = 3                                     cites R"End"
    """
    help, fix = f"allowed: {allowed}", None
    meant = FLAG_WORDS.get(value.strip("`")) if set(names) == {"yes", "no"} else nearest(value.strip("`"), names)
    if meant:
        help, fix = f"{help}; did you mean `{meant}`?", Edit(span, meant)
    return Diagnostic("E0108", f"`{name}` cannot be {value}", Label(span, "not allowed"), help=help, fix=fix)


def not_a_range(span: Span, name: str, flag: bool) -> Diagnostic:
    """An option that is `number` or `boolean`: the same code, another remedy."""
    if flag:
        help, fix = f"what is yes or no is a flag: `option {name}: flag`", Edit(span, "flag")
    else:
        help, fix = f"say which numbers are allowed: `option {name}: 1..9`", None
    return Diagnostic("E0108", f"`{name}` cannot be any `{span.text}`", Label(span, "not allowed"), help=help, fix=fix)


@code("E0109")
def unknown_source(span: Span, name: str, candidates: Iterable[str]) -> Diagnostic:
    """A citation names a source that the head of the file does not declare.

    Wrong:
        variable rounds: number = 5                                 cites Q"End"
    Right:
        variable rounds: number = 5                                 cites R"End"
    """
    known = sorted(set(candidates))
    help, fix = _suggest(span, name, known)
    if not known:
        help = f'declare it below the first line: `source {name} "rulebook.txt" language en`'
    elif len(known) == 1:
        fix = Edit(Span(span.file, span.start, span.start + len(name)), known[0])
    return Diagnostic(
        "E0109",
        f"there is no source `{name}`",
        Label(span, "cited here"),
        help=help,
        fix=fix,
        once="" if known else name,
        about=name,
    )


@code("E0110")
def calls_itself(span: Span, chain: tuple[str, ...]) -> Diagnostic:
    """A definition, phase or procedure runs itself, directly or through others: it might never end.

    Use `repeat` or `while` for what goes on, or `each` for what is done for several.

    Wrong:
        define endless(n) = endless(n + 1)
    Right:
        define after(n) = n + 1
    """
    return Diagnostic(
        "E0110",
        f"`{chain[0]}` runs itself: {' -> '.join(chain)}",
        Label(span, "comes back to it"),
        help="use `repeat`, `while` or `each` instead",
    )


@code("E0111")
def missing_part(span: Span, parts: dict[str, str]) -> Diagnostic:
    """A game lacks one of its parts: `play` (what happens), `score` (what counts) or `winner` (who has won).

    Wrong:
        game small "Small"
          players 2..4
        play
          nothing
    Right:
        variable rounds: number = 0
    """
    if "game" in parts:
        message, help = "the file has no `game` line", f"begin it with `{parts['game']}`"
        return Diagnostic("E0111", message, Label(span, "expected before this"), help=help, about="game")
    missing, write = (" and ".join(f"`{one}`" for one in words) for words in (parts, parts.values()))
    return Diagnostic("E0111", f"the game has no {missing}", Label(span, "this ruleset"), help=f"add {write}")


@code("E0112")
def unmet_needs(span: Span, module: str, needs: list[tuple[str, str]]) -> Diagnostic:
    """A module needs something that the ruleset does not declare.

    Say which of your things takes the part: `use shop with token is chip, row is shelf`.

    Wrong:
        use ranking
    Right:
        define standing(p) = p.cash
        use ranking
    """
    listed_needs = ", ".join(f"{what} called `{need}`" for need, what in needs[:4])
    more = f" and {len(needs) - 4} more" if len(needs) > 4 else ""
    return Diagnostic(
        "E0112",
        f"`{module}` needs {listed_needs}{more}",
        Label(span, "used here"),
        help=f"declare what is missing, or write `use {module} with {needs[0][0]} is …`",
    )


def wrong_part(span: Span, module: str, need: str, wanted: str, found: str) -> Diagnostic:
    """E0112 where something is given that cannot take the part."""
    return Diagnostic(
        "E0112",
        f"`{span.text}` is {found}, and `{module}` needs {wanted} for `{need}`",
        Label(span, f"not {wanted}"),
        help=f"name {wanted}",
    )


@code("E0113")
def bad_players(span: Span, why: str, fix: Edit | None = None) -> Diagnostic:
    """The number of players cannot be what is written: from 1 to 16, the smaller number first.

    Wrong:
        game small "Small"
          players 4..2
        play
          nothing
        score p = 0
        winner most score, ties shared
    Right:
        variable rounds: number = 0
    """
    return Diagnostic(
        "E0113",
        f"the number of players is impossible: {why}",
        Label(span, "not possible"),
        help="for example `players 2..4`" if fix is None else "the smaller number stands first",
        fix=fix,
        about="players",
    )


@code("E0114")
def too_many(span: Span, what: str, found: int, limit: int) -> Diagnostic:
    """There is more of something than a ruleset may have (10,000 components or places, 64 files).

    Wrong:
        deck sand of chip
          99999 chip red 1
    Right:
        deck sand of chip
          12 chip red 1
    """
    return Diagnostic(
        "E0114", f"{found:,} {what} are too many", Label(span, f"the limit is {limit:,}"), help="use fewer"
    )


@code("E0115")
def bad_range(span: Span, low: str, high: str) -> Diagnostic:
    """A range begins with its smaller end.

    Wrong:
        option rounds: 5..1 = 3                                     cites R"End"
    Right:
        option rounds: 1..5 = 3                                     cites R"End"
    """
    return Diagnostic(
        "E0115",
        f"nothing lies between {low} and {high}",
        Label(span, "empty"),
        help=f"write `{high}..{low}`",
        fix=Edit(span, f"{high}..{low}"),
    )


def no_way_forward(span: Span, step: str) -> Diagnostic:
    """E0115 for the step of a range that does not lead from its smaller end to the other."""
    return Diagnostic(
        "E0115",
        f"by {step} a range never gets to its end",
        Label(span, "not above 0"),
        help="write how far each step goes",
    )


@code("E0116")
def bad_viewer(span: Span, name: str, owned: bool) -> Diagnostic:
    """Who sees something is `all`, `nobody` or, of what belongs to each player, `owner`.

    Wrong:
        zone tray: row, seen by owner
    Right:
        zone tray: row of each player, seen by owner
    """
    if name == "owner":
        return Diagnostic(
            "E0116",
            "this belongs to nobody, so it has no owner",
            Label(span, "whose?"),
            help="write `seen by all` or `seen by nobody`, or declare it `of each player`",
        )
    who = "`seen by all`, `seen by nobody` or `seen by owner`" if owned else "`seen by all` or `seen by nobody`"
    _, fix = _suggest(span, name, ("all", "nobody", "owner") if owned else ("all", "nobody"))
    help = f"write {who}"
    return Diagnostic("E0116", f"nothing is seen by `{name}`", Label(span, "not one who sees"), help=help, fix=fix)


@code("E0117")
def not_a_library(span: Span, name: str) -> Diagnostic:
    """`use` names a file that is not a module.

    A module begins with a line like `library shop "A row to buy from"`; a game cannot be used by another. Put what both
    need into a `library` file of its own.
    """
    return Diagnostic(
        "E0117",
        f"`{name}` is not a library",
        Label(span, "used here"),
        help=f'begin `{name}.rules` with `library {name} "What it is for"`',
    )
