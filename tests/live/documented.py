"""Blocks of the pages on connections, and a project in which their commands run."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from tests.live.daily import Daily, Said
from tests.live.test_read_only import MODELS, PARTS, STACK
from tests.projects import with_imports

PAGES = Path(__file__).parents[2] / "docs" / "connections"

ADDRESS = re.compile(r"`(\w+://\S+)`")
"""An address in a sentence: what a file with an address contains."""


class Block(NamedTuple):
    """One block of a page."""

    words: str
    """What stands behind its fence: `sh client tls`."""
    text: str
    """Its lines."""


def blocks(engine: str, words: str = "") -> list[Block]:
    """The blocks of a page whose words begin so, in order."""
    text = (PAGES / f"{engine}.md").read_text(encoding="utf-8")
    findall = re.findall(r"^```([^\n]+)\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE)
    return [Block(*entry) for entry in findall if entry[0].startswith(words)]


def clients(engine: str) -> list[Block]:
    """The blocks that connect."""
    return blocks(engine, "sh client ")


def server(engine: str, name: str) -> str:
    """The block that starts a server or configures it."""
    (block,) = (block for block in blocks(engine) if block.words.endswith(f"server {name}"))
    return block.text


def project(root: Path, engine: str, certificates: Path) -> Daily:
    """A project of an engine with an environment `prod`, one migration, and the certificates beside its files."""
    daily = Daily(root, with_imports(MODELS[engine]), stack=STACK.replace("{part}", PARTS[engine]))
    shutil.copy(root / "stacks" / "Pulumi.dev.yaml", root / "stacks" / "Pulumi.prod.yaml")
    for file in certificates.iterdir():
        shutil.copy(file, root)
    drafted = daily("diff", "-m", "first")
    assert drafted.code == 0, drafted
    return daily


def with_ports(text: str, ports: dict[str, int]) -> str:
    """A text with the ports of the test in place of those of the page."""
    for documented, port in ports.items():
        text = text.replace(documented, str(port))
    return text


def run(root: Path, text: str) -> Said:
    """What a block of a shell comes to, with this keywright and no address but its own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("KEYWRIGHT_STORE_")}
    environment = {**kept, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{kept['PATH']}"}
    command = ["bash", "-e", "-c", text]
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False, timeout=120)
    return Said(done.returncode, done.stdout, done.stderr)


def shows_a_pending_migration(said: Said) -> bool:
    """Whether `migrate status` has read the store, in which nothing was applied."""
    return said.code == 1 and "pending" in said.out and said.err == ""
