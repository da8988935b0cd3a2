"""The programs that keywright is compared with, in an environment of their own."""

import hashlib
import subprocess
import sys
from pathlib import Path

from keywright.local.environment import cache_folder

PEERS = ("cfn-lint==1.58.0", "checkov==3.3.30", "pynamodb==6.1.0")


def environment() -> Path:
    """The folder of the environment; the first call installs it, which takes a minute.

    SystemExit: the packages cannot be installed.
    """
    folder = cache_folder() / "peers" / hashlib.sha256("\n".join(PEERS).encode()).hexdigest()[:12]
    ready = folder / ".ready"
    if not ready.exists():
        uv = str(Path(sys.executable).with_name("uv"))
        print(f"installing {', '.join(PEERS)}", file=sys.stderr)
        try:
            subprocess.run([uv, "venv", "--quiet", "--clear", "--python", sys.executable, str(folder)], check=True)
            subprocess.run(
                [uv, "pip", "install", "--quiet", "--python", str(folder / "bin/python"), *PEERS], check=True
            )
        except subprocess.CalledProcessError as error:
            raise SystemExit(
                f"error: the peers of the benchmarks cannot be installed: exit {error.returncode}"
            ) from None
        ready.touch()
    return folder


def program(name: str) -> str:
    """The path of one of their programs."""
    return str(environment() / "bin" / name)


def packages() -> str:
    """The folder of their packages, for `sys.path`, after the project's own."""
    return str(next((environment() / "lib").glob("python*")) / "site-packages")
