"""A box of the toy engine as a Pulumi resource, in a preview by the real command line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.engines.toy.test_toy import FOLDER, Toy
from tests.pulumi import program

RUNTIME = f"""\
runtime:
  name: python
  options:
    toolchain: pip
    virtualenv: {sys.prefix}
"""

FILES = {
    "Pulumi.yaml": f"name: toy\n{RUNTIME}main: stacks\nstackConfigDir: stacks\n"
    "plugins:\n  providers:\n    - name: keywright\n      path: stacks/provider\n",
    "stacks/__main__.py": "import keywright.pulumi\n\nkeywright.pulumi.provision()\n",
    "stacks/provider/PulumiPlugin.yaml": RUNTIME,
    "stacks/provider/__main__.py": "from keywright.provider import serve\n\nserve()\n",
}


@pytest.mark.live
@pytest.mark.skipif(program.found() is None, reason=program.HINT)
def test_a_preview_creates_a_box_by_the_provider(tmp_path: Path) -> None:
    toy = Toy(tmp_path / "project")
    for name, text in FILES.items():
        file = toy.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    (tmp_path / "state").mkdir()
    environment = {
        **os.environ,
        "PATH": f"{program.found()}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(FOLDER),
        "PULUMI_BACKEND_URL": f"file://{tmp_path / 'state'}",
        "PULUMI_CONFIG_PASSPHRASE": "toy",
        "KEYWRIGHT_STORE_TOY": f"toy://{toy.file}",
    }
    for arguments in (["stack", "init", "dev"], ["preview", "--stack", "dev", "--non-interactive"]):
        done = subprocess.run(
            ["pulumi", *arguments], cwd=toy.folder, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
    assert "keywright:toy:Box notes create" in done.stdout
