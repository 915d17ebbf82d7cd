"""Beginnings of declarations and statements for an editor, with places to fill in. Data only.

`${1:text}` is a place with a text to start with, `${1|a,b|}` a choice, as the protocol of editors has it. Filled in as
they are, declarations are right in a game that has what `tests/harness/stub.rules` has.
"""

from __future__ import annotations

import re

PLACE = re.compile(r"\$\{\d+:([^}]*)\}|\$\{\d+\|([^,|]*)[^}]*\|\}|\$0")

DECLARATIONS = {
    "enum": "enum ${1:suit}: ${2:clubs, hearts}",
    "card": "card ${1:pawn}: ${2:strength}: number",
    "deck": "deck ${1:pouch} of ${2:chip}\n  ${3:4} ${2:chip} ${4:red 5}",
    "zone": "zone ${1:place}: ${2|row,pile,queue,bag|}, seen by ${3|all,nobody|}",
    "zone of each player": "zone ${1:tray}: ${2|bag,pile,queue,row|} of each player, seen by ${3|owner,all,nobody|}",
    "unit": "unit ${1:gold} step ${2:1}",
    "account": "account ${1:vault} in ${2:coin}, unlimited",
    "account of each player": "account ${1:purse} of each player in ${2:coin} = ${3:0}",
    "variable": "variable ${1:count_of_rounds}: ${2:number} = ${3:0}",
    "variable of each player": "variable ${1:points}: ${2:number} of each player = ${3:0}",
    "track": "track ${1:price}: ${2:1, 2, 3, 5}, start ${3:1}",
    "table": "table ${1:bonus}: ${2:0, 1, 3}",
    "table by players": "table ${1:hand_size} by players: ${2:2: 8, 3: 6, 4: 5}",
    "option": "option ${1:rounds}: ${2:1}..${3:9} = ${4:3}",
    "define": "define ${1:worth}(${2:cards}) = ${3:size of cards}",
    "procedure": "procedure ${1:pay}(${2:p})\n  ${3:nothing}",
    "phase": "phase ${1:turn}(${2:p})\n  ${2:p} chooses\n    ${3:pass}:\n      ${4:nothing}",
    "whenever": "whenever ${1:c} ${2|enters,leaves|} ${3:shelf}\n  ${4:nothing}",
    "invariant": "invariant ${1:sound}: ${2:size of box >= 0}",
    "reachable": "reachable ${1:sold_out}: ${2:box is empty}",
    "measure": "measure ${1:left} at end: ${2:size of box}",
    "show": "show ${1:left}: ${2:size of box}",
    "example": 'example "${1:what it shows}"\n  given ${2:player p}\n  then ${3:size of box >= 0}',
}
"""By what an author types; a keyword alone and forms of it."""

HEADS = {
    "game": (
        'game ${1:market} "${2:Market day}"\n  players ${3:2}..${4:4}\n  source ${5:R} "${6:rulebook}" language ${7:en}'
    ),
    "variant": 'variant ${1:quick} of ${2:money} "${3:A quick game}"',
    "library": 'library ${1:toll} "${2:What it is for}"\n  offers ${3:pay}',
}

STATEMENTS = {
    "move": "move ${1:1} from ${2:box} to ${3:shelf}",
    "transfer": "transfer ${1:1} from ${2:p.cash} to ${3:bank}",
    "let": "let ${1:name} = ${2:0}",
    "each": "each ${1:p}: ${2:nothing}",
    "if": "if ${1:box is empty}: ${2:nothing}",
    "while": "while ${1:box is not empty}\n  ${2:nothing}",
    "repeat": "repeat\n  ${1:nothing}\nuntil ${2:box is empty}",
    "secretly": "secretly each ${1:p}\n  ${1:p} chooses ${2:cards}: some of ${1:p}.${3:hand}, possibly none",
    "tentatively": "tentatively\n  ${1:nothing}\notherwise\n  ${2:nothing}",
}


def filled_in(snippet: str) -> str:
    """The text that stands there before anything is changed."""
    return PLACE.sub(lambda found: found.group(1) or found.group(2) or "", snippet)
