"""A save that is killed in the middle leaves the old file or the new one, never something between them."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import cambist

KILLS = 12  # here; the moment is another each time
WRITER = """
import json, sys
from pathlib import Path
from cambist.files import write_whole
path, one, two = Path(sys.argv[1]), Path(sys.argv[2]).read_text(), Path(sys.argv[3]).read_text()
print("ready", flush=True)
while True:
    write_whole(path, one)
    write_whole(path, two)
"""


def _saves(folder: Path) -> list[str]:
    match = cambist.load("money").start(players=3, seed=4)
    texts = []
    for number in range(2):
        for _ in range(20):
            assert match.choice is not None
            match.answer(match.choice.sample(cambist.Source(number)))
        texts.append(json.dumps(match.save()))
        (folder / f"{number}.json").write_text(texts[-1])
    return texts


def test_the_old_or_the_new(tmp_path: Path) -> None:
    texts = _saves(tmp_path)
    path = tmp_path / "game.save.json"
    path.write_text(texts[0])
    rng = random.Random(1)
    seen = set()
    for _ in range(KILLS):
        words = [sys.executable, "-c", WRITER, str(path), str(tmp_path / "0.json"), str(tmp_path / "1.json")]
        writer = subprocess.Popen(words, stdout=subprocess.PIPE)
        assert writer.stdout is not None and writer.stdout.readline() == b"ready\n"
        time.sleep(rng.random() * 0.03)
        os.kill(writer.pid, signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
        left = path.read_text()
        assert left in texts
        seen.add(left)
        cambist.load("money").restore(json.loads(left))
    assert seen  # and what was not finished lies beside it under another name, in nobody's way
    assert all(name.suffix in (".json", ".tmp") for name in tmp_path.iterdir())
