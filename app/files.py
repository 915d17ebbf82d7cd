"""Files of the command line: written whole or not at all, read with care.

A written file goes to a temporary one in the same folder, is forced to the disk and then takes the other's
name, so that a crash leaves the old one or the new one. Reading gives text or a `UserError` that says what is
wrong with the file.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cambist.problems import FOUND, UserError

LARGEST = 64 * 1024 * 1024
AUTHORED = (".rules", ".yaml", ".yml")  # what people write: nothing that is worked out replaces it


def must_be_writable(path: Path) -> None:
    """Says at once what would go wrong only when everything is worked out."""
    if path.suffix.lower() in AUTHORED:
        raise UserError(f"`{path}` would be rules or a sheet, and this is neither", "name a file that ends otherwise")
    if path.is_dir():
        raise UserError(f"`{path}` is a folder", "name a file")
    if not path.parent.is_dir():
        raise UserError(f"there is no folder `{path.parent}`", "make it first, or name another")


def may_be_a_folder(path: Path) -> None:
    """The same for a folder that is made when there is something to write."""
    if path.exists() and not path.is_dir():
        raise UserError(f"`{path}` is a file", "name a folder")
    above = next(folder for folder in (path, *path.absolute().parents) if folder.exists())
    if not os.access(above, os.W_OK):
        raise UserError(f"`{path}` cannot be made", "name a folder that you may write to")


def write_whole(path: Path, text: str) -> None:
    """Atomically. Raises OSError; then the file is as it was."""
    path = path.resolve()  # a link stays a link
    if path.exists() and not path.is_file():
        path.write_text(text, "utf-8")  # a device or a pipe is written to, never replaced
        return
    with replacing(path) as name, name.open("w", encoding="utf-8", newline="\n") as stream:
        stream.write(text)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A new file to write to, which takes the other's name if nothing goes wrong."""
    path = path.resolve()
    folder = path.parent
    handle, name = tempfile.mkstemp(prefix=f".{path.name[:40]}.", suffix=".tmp", dir=folder)
    os.close(handle)
    try:
        yield Path(name)
        handle = os.open(name, os.O_RDWR)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
        os.chmod(name, _mode_of(path))
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    _sync_folder(folder)


def _mode_of(path: Path) -> int:
    """What the file has, or what a new one would get: temporary files are for their owner only."""
    try:
        return path.stat().st_mode & 0o777
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def _sync_folder(folder: Path) -> None:
    """The new name itself on the disk, where the system can do that."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)


def read_text(path: Path, what: str) -> str:
    """The text of a file that should be `what` (a save, a record)."""
    if not path.exists():
        raise UserError(f"there is no file `{path}`", f"name a file that holds {what}")
    if path.is_dir():
        raise UserError(f"`{path}` is a folder", f"name a file that holds {what}")
    with path.open("rb") as stream:
        data = stream.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise UserError(f"`{path}` is too large to be {what}", f"name a file that holds {what}", FOUND)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UserError(
            f"`{path}` is not {what}: line {line} is not text", f"name a file that holds {what}", FOUND
        ) from None
