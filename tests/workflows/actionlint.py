"""actionlint: found on PATH, else built from its published Go module into the cache.

`python -m tests.workflows.actionlint` builds it, which takes some seconds the first time, and prints where it is.
"""

import os
import shutil
from pathlib import Path

from tests import gobuilt

SOURCE = Path(__file__).parent / "tool"
"""A Go module with actionlint as its tool."""

HINT = "actionlint is neither on PATH nor built: `make actionlint` builds it, with Go 1.26 or later"


def found() -> Path | None:
    """The program; None where there is none."""
    if installed := shutil.which("actionlint"):
        return Path(installed)
    built = gobuilt.folder("actionlint", SOURCE) / "actionlint"
    return built if built.is_file() else None


def build() -> Path:
    """The program, built if need be; SystemExit says what is missing."""
    if (path := found()) is not None:
        return path
    folder = gobuilt.folder("actionlint", SOURCE)
    gobuilt.build(folder, "actionlint", "two", _build, "actionlint itself: github.com/rhysd/actionlint")
    return folder / "actionlint"


def _build(part: Path) -> None:
    module = "github.com/rhysd/actionlint/cmd/actionlint"
    gobuilt.go(SOURCE, "build", "-trimpath", "-ldflags", "-s -w", "-o", f"{part}{os.sep}", module)


if __name__ == "__main__":
    print(build())
