"""Imports a project's own modules as they are now, whatever Python's cache of bytecode holds.

Python takes bytecode as current if the source has the same size and the same second of change: what was edited within
that second would be compiled as it was before.
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

GRAIN_SECONDS = 2
"""Bytecode written later than this after its source was changed is of the changed text."""

INSTALLED = ("site-packages", "dist-packages")
"""Folders of libraries, which may stand below a project, in its virtual environment; these keep their bytecode."""


@contextmanager
def from_source(roots: Sequence[Path]) -> Iterator[None]:
    """Within the block, modules below these folders are imported as they are now."""

    def finder(path: str) -> FileFinder:
        if not _is_own(path, roots):
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
    """A loader that throws away bytecode written so soon after its source changed that it may be of the text before."""

    def path_stats(self, path: str) -> Mapping[str, Any]:
        """See `importlib.abc.SourceLoader.path_stats`."""
        stats = super().path_stats(path)
        cached = cache_from_source(path)
        with suppress(FileNotFoundError):  # any other error makes Python take the source
            if os.stat(cached).st_mtime - os.stat(path).st_ctime < GRAIN_SECONDS:
                os.unlink(cached)
        return stats


def _is_own(path: str, roots: Sequence[Path]) -> bool:
    folder = Path(path)
    return not any(part in INSTALLED for part in folder.parts) and any(folder.is_relative_to(root) for root in roots)


def _forget(roots: Sequence[Path]) -> None:
    """The finders of these folders, which Python keeps."""
    for path in [path for path in sys.path_importer_cache if _is_own(path, roots)]:
        del sys.path_importer_cache[path]
