"""`make gallery`: a report of each shipped game in docs/gallery, and a page that lists them. The same every time."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from cambist.dsl.finding import shipped

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "gallery"
GAMES, JOBS = 200, 2
LARGEST = 150 * 1024  # bytes of a page
HEAD = f"""# Gallery

A report of each shipped game: {GAMES} games by random players, made by `make gallery`. Each page is one file that needs
nothing else: download it, or open it in your copy. `cambist report GAME -o report.html` makes one of any ruleset.

| game | players | decisions in a game | wins of the seats | scores |
| --- | --- | --- | --- | --- |
"""


def report(game: str) -> dict[str, Any]:
    words = ["report", game, "--games", str(GAMES), "--seed", "1", "--jobs", str(JOBS), "--json"]
    ran = subprocess.run(
        [sys.executable, "-m", "cambist", *words, "-o", str(FOLDER / f"{game}.html")],
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


def row(game: str, data: dict[str, Any]) -> str:
    length, scores, wins = data["length"]["decisions"], data["scores"], [seat["share"] for seat in data["wins"]]
    return (
        f"| [{data['title']}]({game}.html) | {data['players']} | {length['tenth']:.0f} to {length['ninetieth']:.0f} | "
        f"{min(wins):.0%} to {max(wins):.0%} | "
        f"{scores['all']['tenth']:,.0f} to {scores['all']['ninetieth']:,.0f} {scores['unit']} |"
    )


def main() -> int:
    FOLDER.mkdir(parents=True, exist_ok=True)
    rows = []
    for game in shipped():
        rows.append(row(game, report(game)))
        size = (FOLDER / f"{game}.html").stat().st_size
        print(f"{game}: {size // 1024 + 1} KB", flush=True)
        if size > LARGEST:
            print(f"more than {LARGEST // 1024} KB: draw less, or show more in tables")
            return 1
    (FOLDER / "README.md").write_text(HEAD + "\n".join(rows) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
