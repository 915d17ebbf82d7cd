"""`make proof`: what is promised in large numbers, run and written down in docs/proof.md with command and commit.

In: the tasks of tasks.py, each one command of Cambist that anybody can repeat. Out: one line of figures for each. It
can be stopped and started again: a task whose figures are there for these very files is not run again, and `--only`
runs some. The page keeps the lines of those that were not run, with the commit they were run at. `make test` runs the
same tasks with small numbers.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from proof.tasks import TITLES, Task, tasks

ROOT = Path(__file__).resolve().parent.parent

KEPT = ROOT / ".proof"
PAGE = ROOT / "docs" / "proof.md"
CODE = ("app", "dsl", "interpreter", "games", "schemas", "proof", "tests/playthroughs", "tests/broken", "tests/report")
HEAD = """# Proof

What is promised in large numbers, as last run by `make proof`: each line is one command that can be repeated, with its
figures. CPU seconds depend on the machine; everything else does not.
"""


def digest() -> str:
    """Of all that can change a figure."""
    found = hashlib.sha256()
    for folder in CODE:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                found.update(f"{path.relative_to(ROOT)}\n".encode() + path.read_bytes())
    return found.hexdigest()[:16]


def commit() -> str:
    told = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    changed = subprocess.run(["git", "status", "--porcelain", *CODE], cwd=ROOT, capture_output=True, text=True)
    return (told.stdout.strip() or "unknown") + (" and changes" if changed.stdout.strip() else "")


def done(task: Task, now: str) -> dict[str, Any] | None:
    path = KEPT / f"{task.name}.json"
    if not path.exists():
        return None
    kept: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return kept if kept["digest"] == now else None


def run(task: Task, now: str) -> dict[str, Any]:
    KEPT.mkdir(exist_ok=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ran = subprocess.run([sys.executable, "-m", "cambist", *task.words], cwd=ROOT, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    told = {"figures": "", "wrong": ""}
    if ran.returncode != task.exit_code:
        told["wrong"] = (ran.stderr or ran.stdout or f"exit code {ran.returncode}").strip().splitlines()[0]
    else:
        data = json.loads(ran.stdout)
        told = {"figures": task.figures(data, seconds), "wrong": task.wrong(data, seconds)}
    kept = {"digest": now, "commit": commit(), "seconds": round(seconds, 1), **told}
    (KEPT / f"{task.name}.json").write_text(json.dumps(kept, indent=2) + "\n", "utf-8")
    return kept


def row(task: Task, kept: dict[str, Any]) -> str:
    return f"{begins(task)}{kept['wrong'] or kept['figures']} | {kept['seconds']} | {kept['commit']} |"


def begins(task: Task) -> str:
    return f"| `cambist {' '.join(task.words)}` | "


def write_page(every: list[Task], results: dict[str, dict[str, Any]]) -> None:
    """A row for each task that was run now or, as the page has it, before."""
    before = PAGE.read_text("utf-8").splitlines() if PAGE.exists() else []
    lines = [HEAD]
    for part, title in TITLES.items():
        rows: list[str] = []
        for task in every:
            if task.part == part and task.name in results:
                rows.append(row(task, results[task.name]))
            elif task.part == part:
                rows += [line for line in before if line.startswith(begins(task))]
        if rows:
            lines += [f"## {title}\n", "| command | figures | CPU s | commit |", "| --- | --- | --- | --- |", *rows, ""]
    PAGE.write_text("\n".join(lines), "utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description="Run what is promised in large numbers, and write docs/proof.md.")
    parser.add_argument("--only", metavar="TEXT", default="", help="only tasks with this in their name")
    wanted = parser.parse_args().only
    now = digest()
    results: dict[str, dict[str, Any]] = {}
    bad = 0
    every = list(tasks())
    chosen = [task for task in every if wanted in task.name]
    for number, task in enumerate(chosen, 1):
        kept = done(task, now)
        state = "as before" if kept else "run"
        kept = kept or run(task, now)
        bad += bool(kept["wrong"])
        results[task.name] = kept
        print(f"{number}/{len(chosen)} {task.name}: {kept['wrong'] or kept['figures']} ({state})", flush=True)
        write_page(every, results)  # after each, so that a run that is stopped leaves what it has found
    print(f"{len(results)} tasks, {bad} wrong; written to {PAGE.relative_to(ROOT)}")
    return 1 if bad else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print("\nstopped; the same command goes on where it was", file=sys.stderr)
        sys.exit(130)
