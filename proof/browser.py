"""A page opened in Debian's chromium, without a screen: what it says on its console, and what it has drawn.

In: the path of a page. Out: a sentence about what is wrong, or nothing. A page that loads something, or runs a script,
is told on by its own policy: the browser says so on the console.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome")
SWITCHES = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--enable-logging=stderr",
    "--dump-dom",
)  # fmt: skip
LONGEST = 120  # seconds


def wrong_in_browser(page: Path) -> str:
    browser = next((found for name in NAMES if (found := shutil.which(name))), None)
    if browser is None:
        return "no chromium to open the page in: `apt-get install chromium`, then run it again"
    with tempfile.TemporaryDirectory() as profile:
        words = [browser, *SWITCHES, f"--user-data-dir={profile}", page.resolve().as_uri()]
        ran = subprocess.run(words, capture_output=True, text=True, timeout=LONGEST)
    said = [line for line in ran.stderr.splitlines() if "CONSOLE" in line]
    if said:
        return f"the browser's console says: {said[0]}"
    wanted = page.read_text("utf-8").count("<svg ")
    drawn = ran.stdout.count("<svg ")
    return "" if drawn == wanted > 0 else f"the browser shows {drawn} of {wanted} plots"
