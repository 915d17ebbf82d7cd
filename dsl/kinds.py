"""The language's kinds: what a value is, in words an author knows. Data and small questions about it.

`UNKNOWN` agrees with everything, so that one mistake is reported once.
"""

from __future__ import annotations

from attrs import frozen


@frozen
class Kind:
    word: str  # number amount flag text enum player card zone account list nobody unknown nothing
    name: str = ""  # the enum, the unit, the card (empty: any card)
    of: Kind | None = None
    literal: bool = False  # a written number, which may still become an amount

    def __str__(self) -> str:
        match self.word:
            case "number":
                return "a number"
            case "amount" | "account":
                return f"an {self.word} of `{self.name}`" if self.name else f"an {self.word}"
            case "flag":
                return "a yes or no"
            case "text":
                return "a text"
            case "enum":
                return article(self.name)
            case "player":
                return "a player"
            case "card":
                return article(self.name) if self.name else "a card"
            case "zone":
                return "a zone"
            case "list":
                return f"several {_plural(self.of)}" if self.of else "a list"
            case "nobody":
                return "nobody"
            case "nothing":
                return "nothing"
            case _:
                return "something unknown"


def _plural(kind: Kind) -> str:
    match kind.word:
        case "number" | "player" | "zone" | "list" | "text":
            return kind.word + "s"
        case "amount" | "account":
            return f"{kind.word}s of `{kind.name}`" if kind.name else kind.word + "s"
        case "card":
            return f"of `{kind.name}`" if kind.name else "cards"
        case "enum":
            return f"of `{kind.name}`"
        case _:
            return "things"


def article(name: str) -> str:
    return f"an `{name}`" if name[:1] in "aeiou" else f"a `{name}`"


NUMBER = Kind("number")
LITERAL = Kind("number", literal=True)
FLAG = Kind("flag")
TEXT = Kind("text")
PLAYER = Kind("player")
CARD = Kind("card")
ZONE = Kind("zone")
NOBODY = Kind("nobody")
NOTHING = Kind("nothing")
UNKNOWN = Kind("unknown")


def amount(unit: str) -> Kind:
    return Kind("amount", unit)


def account(unit: str) -> Kind:
    return Kind("account", unit)


def enum(name: str) -> Kind:
    return Kind("enum", name)


def card(name: str) -> Kind:
    return Kind("card", name)


def several(of: Kind) -> Kind:
    return Kind("list", of=of)


def as_value(kind: Kind) -> Kind:
    """What a thing counts as inside a sum: an account is what lies in it."""
    if kind.word == "account":
        return amount(kind.name)
    return NUMBER if kind.literal else kind


def element(kind: Kind) -> Kind | None:
    """What one finds going through it; None if one cannot."""
    if kind.word == "list":
        return kind.of or UNKNOWN
    if kind.word == "zone":
        return CARD
    if kind.word == "unknown":
        return UNKNOWN
    return None


def is_numeric(kind: Kind) -> bool:
    return kind.word in ("number", "amount", "account", "unknown")


def agree(left: Kind, right: Kind) -> bool:
    """Whether a value of one kind may stand where the other is expected."""
    left, right = as_value(left), as_value(right)
    if "unknown" in (left.word, right.word) or left == right:
        return True
    words = {left.word, right.word}
    if "nobody" in words:
        return bool(words & {"player", "card", "enum", "nobody"})
    if words == {"number", "amount"}:
        return True
    if words == {"card"}:
        return not left.name or not right.name or left.name == right.name
    if words == {"list", "zone"}:
        inner = left.of if left.word == "list" else right.of
        return inner is None or agree(inner, CARD)
    if words == {"list"}:
        return left.of is None or right.of is None or agree(left.of, right.of)
    return False


def joined(left: Kind, right: Kind) -> Kind:
    """The kind of a value that is one or the other; call only when they agree."""
    left, right = as_value(left), as_value(right)
    if left.word in ("unknown", "nobody"):
        return right
    if right.word == "amount" or (right.word == "list" and left.word == "zone"):
        return right
    if left.word == "card" and left.name != right.name:
        return CARD if right.word == "card" else left
    return left
