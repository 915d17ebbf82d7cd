"""The hand-written games of benchmarks/, from their files: that folder is no package."""

from __future__ import annotations

import importlib.util
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
KINDS = ("yardstick", "tuned")


@cache
def hand_written(kind: str, game: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"{kind}_{game}", BENCHMARKS / f"{kind}_{game}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
