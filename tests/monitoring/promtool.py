"""Prometheus's promtool: found on PATH, else built from published Go modules into the cache.

`python -m tests.monitoring.promtool` builds it, which takes minutes the first time, and prints where it is.
"""

import os
import shutil
from pathlib import Path

import pytest
from tests import gobuilt

SOURCE = Path(__file__).parent / "tool"
"""A Go module that requires Prometheus and nothing else."""

MODULE = "github.com/prometheus/prometheus"

TAGS = "osusergo,remove_all_sd"
"""Without what finds servers in clouds: it is most of the program, and rules need none of it."""

HINT = "promtool is neither on PATH nor built: `make promtool` builds it, with Go 1.26 or later"


def found() -> Path | None:
    """The program; None where there is none."""
    if installed := shutil.which("promtool"):
        return Path(installed)
    built = gobuilt.folder("promtool", SOURCE) / "promtool"
    return built if built.is_file() else None


def build() -> Path:
    """The program, built if need be; SystemExit says what is missing."""
    if (path := found()) is not None:
        return path
    folder = gobuilt.folder("promtool", SOURCE)
    gobuilt.build(folder, "promtool", "two", _build, "Prometheus itself: prometheus.io/download")
    return folder / "promtool"


def _build(part: Path) -> None:
    version = gobuilt.go(SOURCE, "list", "-m", "-f", "{{.Version}}", MODULE)
    variable = f"github.com/prometheus/common/version.Version={version}"
    gobuilt.go(
        SOURCE, "build", "-trimpath", "-tags", TAGS, "-ldflags", f"-s -w -X {variable}", "-o", f"{part}{os.sep}",
        f"{MODULE}/cmd/promtool",
    )  # fmt: skip


@pytest.fixture(scope="session")
def promtool() -> Path:
    """The program; without it a test is skipped, or fails where everything is required."""
    program = found()
    if program is None:
        is_required = os.environ.get("KEYWRIGHT_REQUIRE_ENGINES") == "all"
        pytest.fail(HINT) if is_required else pytest.skip(HINT)
    return program


if __name__ == "__main__":
    print(build())
