"""The real Pulumi command line: found on PATH, else built from published Go modules into the cache.

`python -m tests.pulumi.program` builds it, which takes minutes the first time, and prints where it is.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

from keywright.local.cache import Fetching, fill
from keywright.local.environment import cache_folder

SOURCE = Path(__file__).parent / "cli"
"""A Go module: the command line as a tool, and a language host of ours, since upstream's is no published module."""

SCRIPTS = ("python/cmd/pulumi-language-python-exec", "python/dist/pulumi-resource-pulumi-python")
"""What a release has beside its programs, from the module of its SDK."""

SDK = "github.com/pulumi/pulumi/sdk/v3"

HINT = "the Pulumi command line is neither on PATH nor built: `make pulumi-cli` builds it, with Go 1.26 or later"


def found() -> Path | None:
    """The folder of the programs; None where there are none."""
    installed = shutil.which("pulumi")
    if installed and shutil.which("pulumi-language-python"):
        return Path(installed).parent
    built = _folder()
    return built if built.is_dir() else None


def build() -> Path:
    """The folder of the programs, built if need be; SystemExit says what is missing."""
    if (known := found()) is not None:
        return known
    if shutil.which("go") is None:
        raise SystemExit(
            "error: there is no Go\n  help: install Go 1.26 or later, or Pulumi itself: pulumi.com/docs/install"
        )
    folder = _folder()
    fetching = Fetching(folder.parent, lambda kind, text: print(text, file=sys.stderr), threading.Event())
    problem = fill(
        folder, folder.with_suffix(".lock"), fetching,
        lambda: print("building the Pulumi command line, which takes some seven minutes", file=sys.stderr), _build,
    )  # fmt: skip
    if problem:
        raise SystemExit(f"error: the Pulumi command line could not be built: {problem}")
    return folder


def _folder() -> Path:
    """Where it is built: another folder for other sources."""
    files = sorted(file for file in SOURCE.rglob("*") if file.is_file())
    told = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:12]
    return cache_folder() / "pulumi" / told


def _build(part: Path) -> str | None:
    """Both programs and the two scripts; why it failed, in the compiler's last words."""
    try:
        version = _go("list", "-m", "-f", "{{.Version}}", SDK)
        variable = f"{SDK}/go/common/version.Version={version}"
        _go(
            "build", "-trimpath", "-tags", "osusergo", "-ldflags", f"-s -w -X {variable}", "-o", f"{part}{os.sep}",
            "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi", "./pulumi-language-python",
        )  # fmt: skip
        sdk = Path(_go("list", "-m", "-f", "{{.Dir}}", SDK))
    except subprocess.CalledProcessError as error:
        return "\n".join(str(error.stderr).splitlines()[-5:])
    for script in SCRIPTS:
        target = part / Path(script).name
        shutil.copyfile(sdk / script, target)
        target.chmod(0o755)
    return None


def _go(*arguments: str) -> str:
    """What a command of Go prints; it is told now and then that it still runs."""
    process = subprocess.Popen(
        ["go", *arguments], cwd=SOURCE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    started = time.monotonic()
    while True:
        try:
            out, err = process.communicate(timeout=30)
            break
        except subprocess.TimeoutExpired:
            print(f"go {arguments[0]}: {time.monotonic() - started:.0f} s", file=sys.stderr)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, process.args, out, err)
    return out.strip()


if __name__ == "__main__":
    print(build())
