"""The real Pulumi command line: found on PATH, else built from published Go modules into the cache.

`python -m tests.pulumi.program` builds it, which takes minutes the first time, and prints where it is.
"""

import os
import shutil
from pathlib import Path

from tests import gobuilt

SOURCE = Path(__file__).parent / "cli"
"""A Go module: the command line as a tool, and a language host of ours, since upstream's is no published module."""

SCRIPTS = ("python/cmd/pulumi-language-python-exec", "python/dist/pulumi-resource-pulumi-python")
"""What a release has beside its programs, from the module of its SDK."""

SDK = "github.com/pulumi/pulumi/sdk/v3"

HINT = (
    "the Pulumi command line is not here: install it (https://www.pulumi.com/docs/install), "
    "or let `make pulumi-cli` build it with Go 1.26 or later"
)


def found() -> Path | None:
    """The folder of the programs; None where there are none."""
    installed = shutil.which("pulumi")
    if installed and shutil.which("pulumi-language-python"):
        return Path(installed).parent
    built = _folder()
    return built if built.is_dir() else None


def build() -> Path:
    """The folder of the programs, built if need be; SystemExit says what is missing."""
    if (path := found()) is not None:
        return path
    folder = _folder()
    gobuilt.build(folder, "the Pulumi command line", "seven", _build, "Pulumi itself: pulumi.com/docs/install")
    return folder


def _folder() -> Path:
    return gobuilt.folder("pulumi", SOURCE)


def _build(part: Path) -> None:
    """Both programs and the two scripts."""
    version = gobuilt.go(SOURCE, "list", "-m", "-f", "{{.Version}}", SDK)
    variable = f"{SDK}/go/common/version.Version={version}"
    gobuilt.go(
        SOURCE, "build", "-trimpath", "-tags", "osusergo", "-ldflags", f"-s -w -X {variable}", "-o", f"{part}{os.sep}",
        "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi", "./pulumi-language-python",
    )  # fmt: skip
    sdk = Path(gobuilt.go(SOURCE, "list", "-m", "-f", "{{.Dir}}", SDK))
    for script in SCRIPTS:
        target = part / Path(script).name
        shutil.copyfile(sdk / script, target)
        target.chmod(0o755)


if __name__ == "__main__":
    print(build())
