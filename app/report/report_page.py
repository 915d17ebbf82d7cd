"""The page of `cambist report`. In: the data of data.py, and the command that made it. Out: HTML."""

from __future__ import annotations

from html import escape
from typing import Any

from cambist.report.page import page
from cambist.report.sections import sections
from cambist.report.sentences import count, summary


def report_page(data: dict[str, Any], command: str) -> str:
    under = f"{count(data['games'], 'game')}, {data['players']} players, seed {data['seed']}"
    again = f"Made by <code>{escape(command)}</code>; the same command gives the same page."
    return page(f"{data['title']}: what games are like", under, summary(data), sections(data), again)
