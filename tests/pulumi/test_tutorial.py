"""The tutorial of docs/pulumi.md, command by command as it stands there."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.pulumi.world import ROOT, World

pytestmark = pytest.mark.live

PAGE = ROOT / "docs" / "pulumi.md"


def tutorial() -> str:
    """Its commands as one script; the changes of files are applied as patches."""
    section = PAGE.read_text(encoding="utf-8").split("\n## Tutorial\n")[1].split("\n## ")[0]
    lines = ["set -eux"]
    for language, text in re.findall(r"^```(sh|diff)\n(.*?)^```", section, re.MULTILINE | re.DOTALL):
        lines.append(text if language == "sh" else f"git apply --unidiff-zero <<'END'\n{text}END\n")
    return "\n".join(lines)


def test_the_tutorial_works_as_it_stands(programs: Path, tmp_path: Path) -> None:
    if shutil.which("git") is None:
        pytest.skip("git is not here")
    world = World(tmp_path / "shop", programs, "")
    world.prepare()
    environment = world.environment()
    environment["PATH"] = os.pathsep.join([str(Path(sys.prefix) / "bin"), environment["PATH"]])
    environment["KEYWRIGHT_CACHE"] = os.environ.get("KEYWRIGHT_CACHE") or str(Path.home() / ".cache" / "keywright")
    done = subprocess.run(
        ["bash", "-c", tutorial()], cwd=world.root, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        world.keywright("local", "down")
    assert done.returncode == 0, done.stdout
    preview = done.stdout.split("+ pulumi preview --diff")[1].split("+ pulumi up --yes")[0]
    assert sorted(re.findall(r"\+ \[(\d)\]: \{\n\s+\+ key", preview)) == ["1", "4"]
    assert "~ 2 to update" in preview
    assert len(list((world.root / "migrations").glob("*_products_by_brand"))) == 1
