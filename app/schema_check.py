"""Plain data against schemas/: the first problems in words, for saves, records and every --json output."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any

from jsonschema import Draft202012Validator


@cache
def _validator(name: str) -> Draft202012Validator:
    text = resources.files("cambist.schemas").joinpath(f"{name}.schema.json").read_text("utf-8")
    return Draft202012Validator(json.loads(text))


def problems(schema: str, data: Any) -> list[str]:
    found = []
    for error in _validator(schema).iter_errors(data):
        place = ".".join(str(part) for part in error.absolute_path) or "the whole"
        found.append(f"{place}: {error.message[:200]}")
    return found
