"""The hand-written games of benchmarks/, from their files: that folder is no package."""

from __future__ import annotations

import importlib.util
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
GAMES = ("money", "buy_low_sell_high")
VERSIONS = {  # of each game, all files
    game: sorted(
        str(path.relative_to(BENCHMARKS))
        for folder in ("clean", "tuned")
        for path in (BENCHMARKS / folder).glob(f"{game}*.py")
    )
    for game in GAMES
}
EVERY = [(game, file) for game, files in VERSIONS.items() for file in files]


@cache
def hand_written(file: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(file.replace("/", "_").removesuffix(".py"), BENCHMARKS / file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
