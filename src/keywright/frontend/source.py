"""Imports a project's own modules from their current source, whatever Python's bytecode cache contains.

Python takes bytecode as current if the source has the same size and the same modification time in seconds. A source
that was edited within that second would otherwise run as the old text.
"""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib.machinery import (
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    SourceFileLoader,
)
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any

from keywright.declare.locate import replaced

GRAIN_SECONDS = 2
"""Bytecode that is at least this much newer than its source is of the current text."""

INSTALLED = ("site-packages", "dist-packages")
"""Folders of libraries, such as a virtual environment inside the project, whose bytecode stays."""


@contextmanager
def from_source(roots: Sequence[Path]) -> Iterator[None]:
    """Within the block, modules below these folders are imported from their current source."""

    def finder(path: str) -> FileFinder:
        if not is_own(path, roots):
            raise ImportError
        return FileFinder(path, (ExtensionFileLoader, EXTENSION_SUFFIXES), (_Source, SOURCE_SUFFIXES))

    sys.path_hooks.insert(0, finder)
    _forget(roots)
    try:
        yield
    finally:
        sys.path_hooks.remove(finder)
        _forget(roots)


class _Source(SourceFileLoader):
    """A loader that deletes bytecode so close in time to its source that it may be of the previous text."""

    def path_stats(self, path: str) -> Mapping[str, Any]:
        """See `importlib.abc.SourceLoader.path_stats`."""
        if replaced(path) is not None:
            raise OSError  # its bytecode is of another text
        stats = super().path_stats(path)
        cached = cache_from_source(path)
        with suppress(FileNotFoundError):  # any other error makes Python take the source
            if os.stat(cached).st_mtime - os.stat(path).st_ctime < GRAIN_SECONDS:
                os.unlink(cached)
        return stats

    def get_data(self, path: str) -> bytes:
        """See `importlib.abc.ResourceLoader.get_data`."""
        text = replaced(path)
        return super().get_data(path) if text is None else text


def is_own(path: str, roots: Sequence[Path]) -> bool:
    """Whether a folder or file is below one of these folders, and not of an installed library."""
    folder = Path(path)
    return not any(part in INSTALLED for part in folder.parts) and any(folder.is_relative_to(root) for root in roots)


def _forget(roots: Sequence[Path]) -> None:
    """Remove the cached finders of these folders."""
    for path in [path for path in sys.path_importer_cache if is_own(path, roots)]:
        del sys.path_importer_cache[path]
