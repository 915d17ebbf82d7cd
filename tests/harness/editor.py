"""An editor that speaks the protocol over pipes: `cambist lsp` as a process of its own, and what is sent and received.

It is written by hand so that it shares nothing with the server, counts columns as UTF-16 does, and can send nonsense.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import IO, Any

LONGEST_WAIT = 60.0


class ErrorAnswer(Exception):
    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(error["message"])
        self.code: int = error["code"]


class Editor:
    def __init__(self, folder: Path, settings: dict[str, Any] | None = None, start: bool = True) -> None:
        self.folder = folder
        self.process = subprocess.Popen(
            [sys.executable, "-m", "cambist", "lsp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        self.errors: list[bytes] = []
        self.notes: list[dict[str, Any]] = []  # notifications, in order
        self._answers: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._number = 0
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        assert self.process.stdout is not None and self.process.stderr is not None
        self._threads = [
            threading.Thread(target=self._listen, args=(self.process.stdout,), daemon=True),
            threading.Thread(target=self._collect, args=(self.process.stderr,), daemon=True),
        ]
        for thread in self._threads:
            thread.start()
        if start:
            self.capabilities = self.begin(settings)

    # ---- the wire

    def _listen(self, stream: IO[bytes]) -> None:
        while True:
            size = 0
            while line := stream.readline().strip():
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    size = int(value)
            if not size:
                self._answers.put(None)
                return
            self._answers.put(json.loads(stream.read(size)))

    def _collect(self, stream: IO[bytes]) -> None:
        self.errors.extend(stream)

    def raw(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.raw(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def _next(self, until: float) -> dict[str, Any]:
        try:
            message = self._answers.get(timeout=max(0.01, until - time.monotonic()))
        except queue.Empty:
            raise AssertionError(f"nothing came: {b''.join(self.errors).decode()}") from None
        assert message is not None, f"the server has gone: {b''.join(self.errors).decode()}"
        if "method" in message:
            self.notes.append(message)
            if "id" in message:  # the server asks something: there is nothing to say
                self.send({"id": message["id"], "result": None})
        return message

    def ask(self, method: str, params: Any = None) -> Any:
        self._number += 1
        number = self._number
        self.send({"id": number, "method": method, **({} if params is None else {"params": params})})
        until = time.monotonic() + LONGEST_WAIT
        while True:
            message = self._next(until)
            if message.get("id") == number and "method" not in message:
                if "error" in message:
                    raise ErrorAnswer(message["error"])
                return message["result"]

    def tell(self, method: str, params: Any = None) -> None:
        self.send({"method": method, **({} if params is None else {"params": params})})

    def hear(self, method: str, fitting: Any = lambda params: True) -> Any:
        """The next notification of this kind that fits; one that has come already counts."""
        until = time.monotonic() + LONGEST_WAIT
        at = 0
        while True:
            while at < len(self.notes):
                note = self.notes[at]
                if note["method"] == method and fitting(note.get("params")):
                    del self.notes[: at + 1]
                    return note.get("params")
                at += 1
            self._next(until)

    # ---- a life

    def begin(self, settings: dict[str, Any] | None = None) -> dict[str, Any]:
        answer = self.ask(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": self.folder.as_uri(),
                "workspaceFolders": [{"uri": self.folder.as_uri(), "name": self.folder.name}],
                "capabilities": {
                    "textDocument": {"completion": {"completionItem": {"snippetSupport": True}}},
                    "workspace": {"codeLens": {"refreshSupport": True}},
                },
                **({"initializationOptions": settings} if settings else {}),
            },
        )
        self.tell("initialized", {})
        found: dict[str, Any] = answer["capabilities"]
        return found

    def end(self) -> int:
        self.ask("shutdown")
        self.tell("exit")
        return self.process.wait(LONGEST_WAIT)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for thread in self._threads:
            thread.join(5)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                try:
                    stream.close()
                except BrokenPipeError:
                    pass

    # ---- texts

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri() if "://" not in name and not name.startswith("untitled:") else name

    def open(self, name: str, text: str | None = None) -> list[dict[str, Any]]:
        """Opens a file, saved or not, and gives its diagnostics."""
        self.texts[name] = (self.folder / name).read_text("utf-8") if text is None else text
        self.versions[name] = 1
        document = {"uri": self.uri(name), "languageId": "rules", "version": 1, "text": self.texts[name]}
        self.tell("textDocument/didOpen", {"textDocument": document})
        return self.found(name)

    def write(self, name: str, text: str) -> list[dict[str, Any]]:
        """Replaces the whole text."""
        self.texts[name] = text
        self.versions[name] += 1
        document = {"uri": self.uri(name), "version": self.versions[name]}
        self.tell("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})
        return self.found(name)

    def type(self, name: str, place: dict[str, int], text: str, end: dict[str, int] | None = None) -> None:
        """Puts a text at a place, as a keystroke does, without waiting for anything."""
        change = {"range": {"start": place, "end": end or place}, "text": text}
        start, stop = self.offset(name, place), self.offset(name, end or place)
        self.texts[name] = self.texts[name][:start] + text + self.texts[name][stop:]
        self.versions[name] += 1
        document = {"uri": self.uri(name), "version": self.versions[name]}
        self.tell("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})

    def found(self, name: str) -> list[dict[str, Any]]:
        """The diagnostics of the version that is open now."""
        uri, version = self.uri(name), self.versions[name]
        params = self.hear("textDocument/publishDiagnostics", lambda p: p["uri"] == uri and p.get("version") == version)
        diagnostics: list[dict[str, Any]] = params["diagnostics"]
        return diagnostics

    # ---- places

    def place(self, name: str, text: str, inside: int = 0, nth: int = 0) -> dict[str, int]:
        """Where a text stands, the nth time; `inside`: so many characters further."""
        offset = -1
        for _ in range(nth + 1):
            offset = self.texts[name].index(text, offset + 1)
        return self.position(name, offset + inside)

    def position(self, name: str, offset: int) -> dict[str, int]:
        before = self.texts[name][:offset]
        line = before.rpartition("\n")[2]
        return {"line": before.count("\n"), "character": len(line.encode("utf-16-le")) // 2}

    def offset(self, name: str, place: dict[str, int]) -> int:
        lines = self.texts[name].split("\n")
        line = lines[place["line"]].encode("utf-16-le")[: place["character"] * 2].decode("utf-16-le")
        return sum(len(one) + 1 for one in lines[: place["line"]]) + len(line)

    def between(self, name: str, where: dict[str, Any]) -> str:
        """The text in a range."""
        return self.texts[name][self.offset(name, where["start"]) : self.offset(name, where["end"])]

    def at(self, method: str, name: str, text: str, inside: int = 0, nth: int = 0, **more: Any) -> Any:
        place = self.place(name, text, inside, nth)
        return self.ask(f"textDocument/{method}", {"textDocument": {"uri": self.uri(name)}, "position": place, **more})

    def of(self, method: str, name: str, **more: Any) -> Any:
        return self.ask(f"textDocument/{method}", {"textDocument": {"uri": self.uri(name)}, **more})

    def labels(self, name: str, text: str, inside: int) -> dict[str, dict[str, Any]]:
        """What is offered at a place, by its label."""
        return {item["label"]: item for item in self.at("completion", name, text, inside)["items"]}

    def applied(self, edit: dict[str, Any]) -> dict[str, str]:
        """The texts, by name, after an edit of the workspace."""
        found = {}
        for uri, edits in edit["changes"].items():
            name = next(n for n in [*self.texts, *(p.name for p in self.folder.iterdir())] if self.uri(n) == uri)
            if name not in self.texts:
                self.texts[name] = (self.folder / name).read_text("utf-8")
            text = self.texts[name]
            places = [(self.offset(name, e["range"]["start"]), self.offset(name, e["range"]["end"])) for e in edits]
            for (start, end), one in sorted(zip(places, edits, strict=True), key=lambda pair: pair[0], reverse=True):
                text = text[:start] + one["newText"] + text[end:]
            found[name] = text
        return found
