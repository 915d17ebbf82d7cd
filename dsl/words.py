"""The words of the language, by the place where each counts as one. Data only.

A word is a keyword only where its class says so; elsewhere it is a free name, so that a game may well have a
zone called `row` or a field called `value`. CONNECTING words alone are reserved everywhere.
"""

from __future__ import annotations

DECLARATION = frozenset(
    "game library use enum card deck option table unit account variable track zone define phase procedure"
    " setup play whenever score estimate winner example invariant reachable measure show variant set replace remove"
    " add insert".split()
)
"""Count in column 1 only."""

PATCHING = frozenset("replace remove add".split())
"""In a variant: stand before a declaration, whose own word counts then as in column 1."""

STATEMENT = frozenset(
    "move fill transfer let set add shift shuffle reveal hide each if else while repeat until forever"
    " secretly tentatively otherwise return leave end nothing require mark limit".split()
)
"""Count as the first word of a statement."""

CLAUSE = frozenset("given when then refused".split())
"""Count as the first word of a line in an example."""

HEAD = frozenset("players source section needs offers rename".split())
"""Count as the first word of a line below `game`, `variant` or `library`."""

FACT = frozenset("player players phase option".split())
"""Count as the first word of a fact in an example."""

CONDITIONS = frozenset("requires excludes".split())
"""Count in the lines below an option."""

CONNECTING = frozenset(
    "and or not in is of for where with to from by if else the all some every no chooses most least random"
    " yes none because holds learns times".split()
)
"""Reserved everywhere."""

PAIRS = {
    ("sum", "of"): "SUM_OF",
    ("count", "of"): "COUNT_OF",
    ("most", "of"): "MOST_OF",
    ("least", "of"): "LEAST_OF",
    ("size", "of"): "SIZE_OF",
    ("first", "of"): "FIRST_OF",
    ("last", "of"): "LAST_OF",
    ("rest", "of"): "REST_OF",
    ("start", "of"): "START_OF",
    ("end", "of"): "END_OF",
    ("some", "of"): "SOME_OF",
    ("of", "each"): "OF_EACH",
    ("seen", "by"): "SEEN_BY",
    ("such", "that"): "SUCH_THAT",
    ("must", "choose"): "CHOOSES",
    ("may", "choose"): "MAY_CHOOSE",
    ("rounded", "down"): "ROUNDED_DOWN",
    ("rounded", "up"): "ROUNDED_UP",
    ("end", "game"): "END_GAME",
    ("roll", "back"): "ROLL_BACK",
    ("any", "order"): "ANY_ORDER",
    ("any", "arrangement"): "ANY_ARRANGEMENT",
    ("else", "if"): "ELSE_IF",
    ("chance", "gives"): "CHANCE_GIVES",
    ("instead", "of"): "INSTEAD_OF",
    ("at", "end"): "AT_END",
    ("leads", "to"): "LEADS_TO",
    ("never", "decreases"): "NEVER_DECREASES",
    ("never", "increases"): "NEVER_INCREASES",
    ("never", "changes"): "NEVER_CHANGES",
}
"""Two words that together are one; each stays free on its own."""

OPENING_PAIRS = frozenset((("end", "game"), ("roll", "back"), ("else", "if")))
"""Pairs that count only as the first words of a statement."""

LAWS = frozenset(("invariant", "reachable", "measure"))
"""Declarations that speak of whole games: what holds in them, and what is measured."""

LAW_PAIRS = frozenset(
    (("at", "end"), ("leads", "to"), ("never", "decreases"), ("never", "increases"), ("never", "changes"))
)
"""Pairs that count only in laws: a variable may well be called `leads`."""

AFTER_COMMA = {
    ("then", "most"): "THEN_MOST",
    ("then", "least"): "THEN_LEAST",
    ("ties", "to"): "TIES_TO",
    ("ties", "shared"): "TIES_SHARED",
    ("all", "tied"): "ALL_TIED",
    ("or",): "OR_ELSE",
    ("at", "least"): "AT_LEAST",
    ("at", "most"): "AT_MOST",
    ("possibly", "none"): "POSSIBLY_NONE",
    ("seen", "by"): "COMMA_SEEN_BY",
    ("count", "hidden"): "COUNT_HIDDEN",
    ("until", "revealed"): "UNTIL_REVEALED",
    ("may", "be", "negative"): "MAY_BE_NEGATIVE",
    ("unlimited",): "UNLIMITED",
    ("start",): "COMMA_START",
    ("in", "order"): "IN_ORDER",
}
"""A comma and the words behind it, one token: an LALR(1) parser could not tell it from a list's comma."""

NOTES = frozenset("cites assumed erratum against".split())
"""Open a note, which runs to the end of the line and belongs to the logical line it ends."""

RESERVED = CONNECTING | (DECLARATION - {"show", "measure"}) | (STATEMENT - {"end", "play", "limit", "mark"})
"""What the checker refuses as a name, for readers more than for the parser."""

IN_WORDS = {
    "NAME": "a name",
    "INT": "a number",
    "DECIMAL": "a number with a point",
    "STRING": "a text in quotes",
    "NOTE": "a citation",
    "_NL": "the end of the line",
    "_INDENT": "an indented block",
    "_DEDENT": "the end of the block",
    "$END": "the end of the file",
    "LPAR": "`(`",
    "RPAR": "`)`",
    "LSQB": "`[`",
    "RSQB": "`]`",
    "LBRACE": "`{`",
    "RBRACE": "`}`",
    "COMMA": "`,`",
    "COLON": "`:`",
    "SEMICOLON": "`;`",
    "DOT": "`.`",
    "DOTDOT": "`..`",
    "EQUAL": "`=`",
    "NOTEQUAL": "`!=`",
    "LESS": "`<`",
    "LESSEQ": "`<=`",
    "MORE": "`>`",
    "MOREEQ": "`>=`",
    "PLUS": "`+`",
    "MINUS": "`-`",
    "STAR": "`*`",
    "SLASH": "`/`",
    "PARAGRAPH": "`§`",
}
"""What a person reads instead of a terminal's name; keywords and pairs are spelled by `in_words`."""


def in_words(terminal: str) -> str:
    if terminal in IN_WORDS:
        return IN_WORDS[terminal]
    for words, name in AFTER_COMMA.items():
        if name == terminal:
            return f"`, {' '.join(words)}`"
    for pair, name in PAIRS.items():
        if name == terminal and name != "CHOOSES":
            return f"`{' '.join(pair)}`"
    return f"`{terminal.lower().replace('_', ' ')}`"
