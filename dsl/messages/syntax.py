"""What to say where the grammar stops: what could stand there, and what the author may have meant. Words only.

In: the tokens of one line as (type, text) pairs, the place where it stops, the types that could stand there. Out:
words. Lark is not known here, and no name of a token gets out.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from cambist.dsl.messages.registry import did_you_mean
from cambist.dsl.words import AFTER_COMMA, DECLARATION, PAIRS, STATEMENT, in_words

Word = tuple[str, str]  # the type of a token, and its text

MOST_EXPECTED = 5
LAYOUT = frozenset(("_NL", "_INDENT", "_DEDENT", "NOTE", "$END"))
SIGNS = frozenset(("PLUS", "MINUS"))
COMPARING = SIGNS | frozenset("STAR SLASH EQUAL NOTEQUAL LESS LESSEQ MORE MOREEQ".split())
QUANTIFYING = frozenset("SUM_OF COUNT_OF MOST_OF LEAST_OF THE ALL SOME EVERY NO".split())
VALUE = frozenset("NAME INT LPAR".split())
BEGINS_A_VALUE = VALUE | QUANTIFYING | frozenset("DECIMAL STRING YES LSQB LBRACE MINUS NOT".split())
BEGINS_A_VALUE |= frozenset("SIZE_OF FIRST_OF LAST_OF REST_OF".split())
GOES_ON = COMPARING | frozenset("DOT LSQB LPAR DOTDOT IF IS IN NOT AND OR BY ROUNDED_DOWN ROUNDED_UP".split())
A_STATEMENT = frozenset("MOVE TRANSFER LET SET SHUFFLE".split())
FIRST = ("COLON", "EQUAL", "INT", "STRING", "RPAR", "RSQB", "RBRACE", "TO", "FROM", "IN", "OF", "OF_EACH", "WITH")
LAST = ("COMMA", "SEMICOLON", "_INDENT", "_NL")
COMMA_WORDS = {kind: " ".join(words) for words, kind in AFTER_COMMA.items()}

CONDITION = "long requires rounds > 3"
CHANCE = "chance is `let n = random of 1..6`; `shuffle` mixes a zone"
MONEY_OR_CARDS = "write `move … to …` for components, `transfer … from … to …` for money"
HABITS = {
    "for": "write `each x in …` to do something for several",
    "foreach": "write `each x in …` to do something for several",
    "elif": "write `else if`",
    "elsif": "write `else if`",
    "elseif": "write `else if`",
    "break": "write `leave` to end a loop",
    "exit": "write `leave` to end a loop, `return` to end a procedure, `end game` to end the game",
    "pass": "write `nothing`",
    "draw": "write `move 3 from stock to p.hand`",
    "deal": "write `move 3 from stock to p.hand`",
    "take": MONEY_OR_CARDS,
    "give": MONEY_OR_CARDS,
    "pay": "write `transfer … from … to …`",
    "roll": CHANCE,
    "throw": CHANCE,
    "else": "`else` stands below an `if`, in its column",
    "until": "`until` stands below a `repeat`, in its column",
    "forever": "write `repeat`, indent what is repeated below it, and put `forever` below in the column of `repeat`",
    "otherwise": "`otherwise` stands below a choice or a `tentatively`, in its column",
}
"""What authors write as the first word of a statement, from other languages or from speech."""

SPOKEN = {
    "pays": HABITS["pay"],
    **dict.fromkeys(("gets", "gives", "receives", "takes"), MONEY_OR_CARDS),
    "draws": HABITS["draw"],
    **dict.fromkeys(("rolls", "throws"), CHANCE),
}
"""What authors write as the second word of a statement, behind a player."""

FACTS = {
    "GIVEN": "`p.cash = 3`, `shelf holds chip red`, `phase is turn(p)` or `chance gives 5`",
    "THEN": "`p.cash = 3`, `p.hand holds chip red`, `p is winner` or `game is over`",
}
"""What an example may say of a state, before and afterwards."""

FORMS = {
    "GAME": 'game market "Market day"',
    "VARIANT": 'variant quick of market "A quick market day"',
    "SECTION": 'section "The end"',
    "RENAME": "rename red to crimson",
    "REPLACE": "replace define double(n) = n * 3",
    "REMOVE": "remove phase trade",
    "LIBRARY": 'library shop "A row to buy from"',
    "PLAYERS": "players 2..4",
    "SOURCE": 'source R "rulebook.txt" language en',
    "NEEDS": "needs stock, discard",
    "OFFERS": "offers draw, renew",
    "USE": "use shop with token is chip, row is shelf",
    "ENUM": "enum color: red, blue",
    "CARD": "card chip: color, value: number",
    "DECK": "deck box of chip",
    "OPTION": "option rounds: 1..9 = 3",
    "TABLE": "table bonus: 0, 1, 2, 4",
    "UNIT": "unit coin step 0.5",
    "ACCOUNT": "account cash of each player in coin = 50",
    "VARIABLE": "variable points: number of each player = 0",
    "TRACK": "track price of each share: 2, 3, 5, 8, start 3",
    "ZONE": "zone hand: bag of each player, seen by owner",
    "DEFINE": "define double(n) = n * 2",
    "PHASE": "phase trade(p)",
    "PROCEDURE": "procedure draw(p, n)",
    "SETUP": "setup",
    "PLAY": "play",
    "WHENEVER": "whenever c enters hand of p",
    "SCORE": "score p = p.cash",
    "WINNER": "winner most score, ties shared",
    "EXAMPLE": 'example "what happens"',
    "INVARIANT": "invariant all_there: size of stock = 12",
    "REACHABLE": "reachable broke: some p in players where p.cash = 0",
    "MEASURE": "measure wealth of each p at end: p.cash",
    "SHOW": "show riches(p): p.cash",
    "MOVE": "move first of shelf to p.hand",
    "FILL": "fill shelf to 4 from stock",
    "TRANSFER": "transfer 5 from bank to p.cash",
    "LET": "let n = size of stock",
    "SET": "set leader to p",
    "ADD": "add 1 to p.points",
    "SHIFT": "shift c.price by 1",
    "SHUFFLE": "shuffle stock",
    "REVEAL": "reveal p.bid",
    "HIDE": "hide p.bid",
    "RETURN": "return",
    "LEAVE": "leave",
    "END_GAME": 'end game because "the bank is broke"',
    "REQUIRE": "require stock is not empty",
    "MARK": "mark crash",
    "LIMIT": "limit long_game",
    "EACH": "each p: shuffle p.hand",
    "IF": "if stock is empty: leave",
    "WHILE": "while stock is not empty: move 1 from stock to shelf",
    "REPEAT": "repeat 3 times: shuffle stock",
    "SECRETLY": "secretly each p",
    "GIVEN": "given player p; p.cash = 3",
    "WHEN": "when p chooses stop",
    "THEN": "then p.cash = 3",
    "REFUSED": "refused p chooses stop",
}
"""How a line that begins with this word looks, for lines that are wrong in a way nobody has foreseen."""


def expected_words(accepted: Collection[str]) -> tuple[str, ...]:
    """What could stand there: the likeliest first, one word for all that a value or a statement can begin with."""
    left = set(accepted) - {"NOTE", "_DEDENT", "$END"}
    found: list[str] = []
    if A_STATEMENT <= left:
        return ("a statement",)
    if VALUE <= left:
        found.append("a value")
        left -= BEGINS_A_VALUE
    elif "NAME" in left:
        found.append("a name")
    signs = []
    if SIGNS <= left:
        signs = ["a sign like `+`", "a word like `and`"] if "AND" in left else ["a sign like `+`"]
        left -= GOES_ON
    found += [in_words(kind) for kind in FIRST if kind in left] + signs
    rest = sorted(left - {"NAME", *FIRST, *LAST})
    found += [in_words(kind) for kind in rest] + [in_words(kind) for kind in LAST if kind in left]
    return tuple(dict.fromkeys(found))[:MOST_EXPECTED]


def advice(line: Sequence[Word], at: int, accepted: Collection[str], declaration: str) -> str:
    """What the author may have meant, or how such a line looks. `line` begins with its first word."""
    kind, text = line[at]
    opening, first = line[0]
    before = line[at - 1] if at else ("", "")
    after = line[at + 1] if at + 1 < len(line) else ("", "")
    if opening == "VARIABLE" and kind == "OF_EACH":
        return f"say what it holds: `{FORMS[opening]}`"
    if told := _declared(line, at, accepted) or _ended(line, at) or _said_of(line, at, accepted):
        return told
    if text == "none" and "NAME" in accepted:
        return "write `nobody` for no player"
    if declaration == "OPTION" and (told := _option(line, at, accepted)):
        return told
    if opening == "SET" and at == 2 and line[1][1] in DECLARATION and "TO" in accepted:
        return f"write the name alone: `set {text} to …`"
    if declaration == "VARIANT" and opening != "VARIANT" and at == 0 and text in DECLARATION:
        return f"`{text}` stands in the first column; `set NAME to …` there gives something a new value"
    found = (
        _having(line, at, accepted)
        or _begun(text, after, accepted)
        or _behind_is([word[0] for word in line[max(0, at - 3) : at]], kind)
        or (_signs(kind, before, after, accepted) if kind == "COLON" and after[0] == "EQUAL" else "")
        or _misspelt(kind, text, after[1], accepted)
        or _layout(kind, text, before[0], after[0], accepted)
        or _signs(kind, before, after, accepted)
        or _quantifier(kind, text, accepted)
        or _habit(first, opening, at)
        or _spoken(line, at)
        or _missing(kind, before[0], accepted)
    )
    if found:
        return found
    if declaration == "DECK" and set(accepted) <= {"INT", "_DEDENT"}:
        return "a row begins with how many there are, for example `3 chip red 5`"
    if kind not in LAYOUT and text.isidentifier() and "NAME" in accepted:
        return f"`{text}` is a word of the language; use another name"
    form = FORMS.get(opening)
    if form is None or (kind in LAYOUT and set(accepted) >= VALUE):
        return ""
    return f"the form is `{form}`"


LAWS = frozenset(("INVARIANT", "REACHABLE", "MEASURE"))


def _declared(line: Sequence[Word], at: int, accepted: Collection[str]) -> str:
    """A declaration whose parts stand in another order, or that lacks one."""
    opening, (kind, text) = line[0], line[at]
    name = line[1][1] if len(line) > 1 else ""
    if opening[0] == "ZONE" and kind == "OF_EACH" and at == 2:
        return f"say what it is first: `zone {name}: bag of each player`"
    if opening[0] == "VARIABLE" and kind == "EQUAL" and at == 2:
        return f"say what it holds: `variable {name}: number = …`"
    if opening[0] in LAWS and at == 1 and kind != "NAME":
        return f"give it a name: `{opening[1]} all_good: {text} …`"
    return ""


def _ended(line: Sequence[Word], at: int) -> str:
    """How the game ends, and why, and when."""
    words = [text for _, text in line]
    when = "to end it only then, write `if …: end game`"
    first = at if words[at] == "end" else max(at - 1, 0)
    if words[first] == "end" and (first == 0 or line[first - 1][0] in ("COLON", "SEMICOLON")):
        return f'write `end game because "…"`; {when}'
    if line[0][0] == "END_GAME" and words[first] == "because":
        return f'the reason stands in quotes: `end game because "…"`; {when}'
    return when if line[0][0] == "END_GAME" and words[at] in ("when", "if") else ""


def _said_of(line: Sequence[Word], at: int, accepted: Collection[str]) -> str:
    """Whom it is asked for, and who asks."""
    kind = line[at][0]
    if kind == "MAY_CHOOSE" and "CHOOSES" in accepted:
        return "write `chooses`, with a branch `pass: nothing` for those who would rather not"
    if "FOR" in accepted and (kind in COMPARING or kind in ("RPAR", "COMMA", *LAYOUT)) and "NOTE" not in accepted:
        return "say what it runs over, for example `for p in players`"
    return ""


HAVING = frozenset("has have contains contain includes holds".split())


def _having(line: Sequence[Word], at: int, accepted: Collection[str]) -> str:
    """`p.hand has chip red`: only an example says so; a condition asks for one that is."""
    if line[at][1] not in HAVING or "IS" not in accepted or "HOLDS" in accepted:
        return ""
    start = at
    while start and line[start - 1][0] in ("NAME", "DOT"):
        start -= 1
    owner = "".join(text for _, text in line[start:at]) or "…"
    return f"ask for one of them: `some c in {owner} where c is …`"


def _begun(text: str, after: Word, accepted: Collection[str]) -> str:
    """The first of two words, where several could be the second: which one is for the author to say."""
    ways = [" ".join(pair) for pair, kind in PAIRS.items() if pair[0] == text and kind in accepted]
    if len(ways) < 2 or after[1] in {way.split()[1] for way in ways}:
        return ""
    return f"write {' or '.join(f'`{way}`' for way in ways)}"


def _option(line: Sequence[Word], at: int, accepted: Collection[str]) -> str:
    """What an option can be, and the conditions below it."""
    kind, text = line[at]
    if line[0][0] != "OPTION":
        following = line[at + 1][1] if at + 1 < len(line) else ""
        form = f"a condition looks like `{CONDITION}`; two of them stand on two lines"
        return _misspelt(kind, text, following, accepted) or form
    if kind in ("YES", "NO"):
        return "what is yes or no is a flag: `option open_hands: flag = no`"
    if kind == "STRING":
        return 'what it means stands behind its name: `option rounds "how long it takes": 1..9 = 3`'
    if kind == "COMMA" and "_NL" in accepted:
        return f"conditions stand on lines below it, indented: `{CONDITION}`"
    return ""


def _behind_is(before: Sequence[str], kind: str) -> str:
    """`x is p.hand`: only one name or number may stand there."""
    opens = before[-1:] == ["IS"] or before[-2:] == ["IS", "NOT"]
    goes_on = before[-2:-1] == ["IS"] or before[-3:-1] == ["IS", "NOT"]
    if (opens and kind not in LAYOUT) or (goes_on and kind in ("DOT", "LPAR", "LSQB")):
        return "behind `is` stands one name or number; write `=` or `!=` to compare with a value"
    return ""


def _misspelt(kind: str, text: str, following: str, accepted: Collection[str]) -> str:
    """A word, or two, close to what could stand there."""
    if kind in LAYOUT or not text[:1].isalpha():
        return ""
    pairs = {name: " ".join(pair) for pair, name in PAIRS.items() if name in accepted and name != "CHOOSES"}
    hint = did_you_mean(f"{text} {following}", pairs.values()) if following else ""
    if hint or kind != "NAME":
        return hint
    single = [k.lower() for k in accepted if k.isupper() and k not in pairs and "_" not in k and len(k) > 1]
    return did_you_mean(text, [word for word in single if in_words(word.upper()) == f"`{word}`"])


BLOCKS = ("EACH", "IF", "WHILE", "REPEAT", "SECRETLY", "TENTATIVELY")  # statements with lines of their own below


def _layout(kind: str, text: str, before: str, after: str, accepted: Collection[str]) -> str:
    if kind in BLOCKS and before == "COLON" and "TRANSFER" in accepted:
        return f"`{text}` begins a line of its own: leave the `:` out, and put it below, indented"
    if kind in BLOCKS and before == "SEMICOLON" and "TRANSFER" in accepted:
        return f"`{text}` begins a line of its own: leave the `;` out, and put it below"
    if "_INDENT" in accepted:
        return "indent what belongs to it below, or put a `:` and one statement behind it"
    if {"UNTIL", "FOREVER"} <= set(accepted):
        return "end `repeat` with `until …` or `forever`, in the column of `repeat`"
    if kind == "CHOOSES":
        return "a choice stands on a line of its own, indented below"
    if kind == "COLON" and after == "_NL" and "_NL" in accepted:
        return "leave the `:` out: the indented lines below are enough"
    return ""


def _signs(kind: str, before: Word, after: Word, accepted: Collection[str]) -> str:
    """One sign where another belongs."""
    if kind == "EQUAL" and "EQUAL" in (before[0], after[0]):
        return "one `=` is enough"
    if kind == "COLON" and "EQUAL" in accepted:
        return "write `=` instead of `:`"
    if kind == "EQUAL" and "COLON" in accepted:
        return "write `:` instead of `=`"
    if kind == "EQUAL" and before[0] in ("NAME", "RPAR") and "CHOOSES" in accepted:
        return "write `set … to …` to change a variable, `let … = …` to name a value"
    if kind == "SEMICOLON" and any(k in accepted for k in COMMA_WORDS):
        return "write `,` instead of `;`"
    if kind == "FROM" and "IN" in accepted:
        return "write `in` instead of `from`"
    if kind in ("TO", "MINUS") and "DOTDOT" in accepted and before[0] == "INT" and "PLUS" not in accepted:
        return "write `..` between the two ends"
    if kind == "DOTDOT" and set(accepted) >= SIGNS:
        return "put the range into parentheses, for example `(1..3)`"
    if kind in ("ROUNDED_DOWN", "ROUNDED_UP"):
        return f"`{in_words(kind).strip('`')}` stands behind a division"
    if kind in ("POSSIBLY_NONE", "AT_LEAST", "AT_MOST"):
        return "write `cards: some of …` to choose several"
    if kind in ("LBRACE", "RBRACE"):
        return "what belongs together is indented alike: leave the `{` and the `}` out"
    if (kind, after[0]) == ("COLON", "EQUAL"):
        return "write `set … to …` to change a variable, `let … = …` to name a value"
    if kind in ("RPAR", "RSQB"):
        return "no bracket is open that it could close"
    return ""


def _quantifier(kind: str, text: str, accepted: Collection[str]) -> str:
    if kind in QUANTIFYING and "NAME" in accepted and "INT" in accepted:
        return f"put what begins with `{text}` into parentheses"
    if kind in COMPARING and "AND" in accepted and "PLUS" not in accepted:
        return "put what stands before it (from `sum of`, `count of`, `the`, `some` … on) into parentheses"
    return ""


def _habit(first: str, opening: str, place: int) -> str:
    """The first word of a statement is none; `place` is how far behind it the text stops."""
    if opening == "ELSE" and place == 1:
        return "write `else if …:` to ask something else"
    if place <= 1 and first in HABITS and opening not in FORMS:
        return HABITS[first]
    if place == 1 and opening == "NAME":
        return did_you_mean(first, STATEMENT)
    return ""


def _spoken(line: Sequence[Word], at: int) -> str:
    """Two names side by side, as in speech: `p pays 3`, `move 2 chips from`, `then p wins`."""
    opening, (kind, text) = line[0][0], line[at]
    if kind != "NAME" or line[at - 1][0] not in ("NAME", "INT"):
        return ""
    if opening in FACTS:
        return f"`{opening.lower()}` says things like {FACTS[opening]}"
    if opening == "MOVE" and at == 2 and line[-1][0] in ("NAME", "FROM"):
        return (
            "how many stands alone: `move 2 from shelf to p.hand`; which ones: `move all c in shelf where … to p.hand`"
        )
    return SPOKEN.get(text, "") if at == 1 else ""


def _missing(kind: str, before: str, accepted: Collection[str]) -> str:
    """Something may have been left out before it."""
    if kind in LAYOUT:
        return ""
    if "COLON" in accepted and "COMMA" in accepted:
        return "a `:` or a `,` may be missing before it"
    if "COLON" in accepted and kind not in COMPARING:
        return "a `:` is missing before it"
    if kind == "NAME" and before == "INT" and "FROM" in accepted and "TO" not in accepted:
        return "write the number alone, without a unit"
    for word in ("FROM", "TO", "IN"):
        if kind == "NAME" and word in accepted and before in ("NAME", "INT", "RPAR"):
            return f"`{word.lower()}` may be missing before it"
    if kind == "NAME" and before == "NAME" and "COMMA" in accepted and "PLUS" not in accepted:
        return "a `,` may be missing before it"
    if kind in ("NAME", "INT", "DECIMAL") and set(accepted) >= SIGNS:
        return "a sign or a word like `and` may be missing before it"
    return ""
