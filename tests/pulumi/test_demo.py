"""The demo where there is no Pulumi command line."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_without_the_command_line_the_demo_lists_what_up_would_create(tmp_path: Path) -> None:
    environment = {"PATH": "/nowhere", "HOME": str(tmp_path), "KEYWRIGHT_CACHE": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-m", "tests.pulumi.demo"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    *lines, last = done.stdout.splitlines()
    assert "  + aws:dynamodb/table:Table             shop" in lines
    assert "  + keywright:redis:Settings             sessions" in lines
    assert last.startswith(f"{sum(line.startswith('  + ') for line in lines)} resources, which `pulumi up` creates; ")
    assert "https://www.pulumi.com/docs/install" in last
