"""JSON text -> plain data -> attrs classes, and back, with nothing bent on the way.

`parse` refuses what JSON readers let pass: floats, NaN, a key twice, numbers of many digits, great depth.
`structure` refuses what cattrs lets pass: a boolean, float or text for a number, text for a list, keys that
no field has. Both say what is wrong and where. Knows nothing of the classes it fills.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any, NoReturn, TypeVar, get_args, get_origin

import attrs
from cattrs import Converter, transform_error
from cattrs.errors import (
    BaseValidationError,
    ForbiddenExtraKeysError,
    IterableValidationError,
    IterableValidationNote,
)
from cattrs.gen import make_dict_structure_fn

T = TypeVar("T")
MOST_DIGITS = 20
DEEPEST = 64


class NotStrict(ValueError):
    """Text or data that is not what it should be: why, and the line of the text where that is known."""

    def __init__(self, why: str, line: int = 0) -> None:
        super().__init__(f"line {line}: {why}" if line else why)
        self.why = why
        self.line = line


# ---- text -> plain data


def parse(text: str) -> Any:
    """Objects, lists, texts, whole numbers, yes and no, null; anything else is refused."""
    try:
        data = json.loads(
            text,
            parse_int=_whole,
            parse_float=_no_fraction,
            parse_constant=_no_fraction,
            object_pairs_hook=_without_repeats,
        )
    except json.JSONDecodeError as error:
        raise NotStrict(f"this is not JSON: {error.msg.lower()}", error.lineno) from None
    except RecursionError:
        raise NotStrict("it is nested too deeply") from None
    if _depth_over(data, DEEPEST):
        raise NotStrict("it is nested too deeply")
    return data


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise NotStrict(f"the number {digits[:8]}… has too many digits")
    return int(digits)


def _no_fraction(text: str) -> NoReturn:
    raise NotStrict(f"{text[:24]} is not a whole number")


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise NotStrict(f"{twice[:40]!r} stands twice")
    return found


def _depth_over(data: Any, limit: int) -> bool:
    """Level by level, not by recursion: this is what guards against depth."""
    level = [data]
    for _ in range(limit):
        level = [
            inner
            for outer in level
            if isinstance(outer, (dict, list))
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
        if not level:
            return False
    return True


# ---- plain data <-> classes


def structure(data: Any, kind: type[T]) -> T:
    try:
        return _converter().structure(data, kind)
    except (BaseValidationError, ValueError, TypeError, KeyError) as error:
        raise NotStrict("; ".join(transform_error(error, format_exception=_words)[:3])) from None


def unstructure(value: Any) -> Any:
    """Plain data: attrs classes as objects, tuples as lists, fields that hold their default left out."""
    return _listed(_converter().unstructure(value))


def _listed(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _listed(inner) for key, inner in value.items()}
    return [_listed(inner) for inner in value] if isinstance(value, (list, tuple)) else value


def _words(error: BaseException, kind: Any) -> str:
    if isinstance(error, NotStrict):
        return error.why
    if isinstance(error, ForbiddenExtraKeysError):
        return f"there is no {', '.join(sorted(repr(key) for key in error.extra_fields))}"
    if isinstance(error, KeyError):
        return "it is missing"
    return str(error) or "it does not fit"


@cache
def _converter() -> Converter:
    converter = Converter(forbid_extra_keys=True, omit_if_default=True)
    for kind, word in ((int, "a whole number"), (str, "a text"), (bool, "yes or no"), (float, "")):
        converter.register_structure_hook(kind, _exactly(kind, word))
    converter.register_structure_hook_factory(attrs.has, _class_hook(converter))
    converter.register_structure_hook_factory(_is(tuple), _tuple_hook(converter))
    converter.register_structure_hook_factory(_is(dict), _dict_hook(converter))
    converter.register_structure_hook_func(lambda k: k == int | str, _number_or_text)
    return converter


def _is(origin: type) -> Callable[[Any], bool]:
    def test(kind: Any) -> bool:
        found: Any = get_origin(kind)
        return found is origin

    return test


def _exactly(kind: type, word: str) -> Callable[[Any, Any], Any]:
    def hook(value: Any, _: Any) -> Any:
        if not word:
            raise NotStrict("there are no fractions here")
        if type(value) is not kind:
            raise NotStrict(f"{_shown(value)} is not {word}")
        return value

    return hook


def _number_or_text(value: Any, _: Any) -> int | str:
    if type(value) is int or type(value) is str:
        return value
    raise NotStrict(f"{_shown(value)} is neither a whole number nor a text")


def _class_hook(converter: Converter) -> Callable[[Any], Callable[[Any, Any], Any]]:
    def factory(kind: Any) -> Callable[[Any, Any], Any]:
        fill = make_dict_structure_fn(kind, converter, _cattrs_forbid_extra_keys=True)

        def hook(value: Any, _: Any) -> Any:
            if type(value) is not dict:
                raise NotStrict(f"{_shown(value)} is not a table")
            return fill(value, kind)

        return hook

    return factory


def _tuple_hook(converter: Converter) -> Callable[[Any], Callable[[Any, Any], Any]]:
    """Tuples of any length of one kind, from lists only: a text is not a list of its letters."""

    def factory(kind: Any) -> Callable[[Any, Any], Any]:
        inner = get_args(kind)[0]

        def hook(value: Any, _: Any) -> Any:
            if type(value) is not list:
                raise NotStrict(f"{_shown(value)} is not a list")
            found, wrong = [], []
            for index, item in enumerate(value):
                try:
                    found.append(converter.structure(item, inner))
                except Exception as error:
                    error.add_note(IterableValidationNote(f"at {index}", index, inner))
                    wrong.append(error)
            if wrong:
                raise IterableValidationError("", wrong, kind)
            return tuple(found)

        return hook

    return factory


def _dict_hook(converter: Converter) -> Callable[[Any], Callable[[Any, Any], Any]]:
    def factory(kind: Any) -> Callable[[Any, Any], Any]:
        inner = get_args(kind)[1]

        def hook(value: Any, _: Any) -> Any:
            if type(value) is not dict:
                raise NotStrict(f"{_shown(value)} is not a table")
            return {key: converter.structure(item, inner) for key, item in value.items()}

        return hook

    return factory


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 40 else text[:39] + "…"
