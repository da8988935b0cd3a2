"""`python -m benchmarks.checking`: all rules over 100 tables, against linters of the same tables as CloudFormation.

Whole processes in turn, nothing remembered. cfn-lint and checkov are measured where they are installed: on PATH, or in
the folder that the first argument names. They check a template; keywright reads models, compiles them and judges what
they mean as well.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from .pairs import Command, Ratio, compare
from .tables import write_tables

KEYWRIGHT = str(Path(sys.executable).with_name("keywright"))
CLEAR = (sys.executable, "-c", "import shutil; shutil.rmtree('.keywright', True)")
TABLES = 100

_CHECKOV = "--soft-fail --quiet --compact --skip-download --framework cloudformation -f template.json"

PEERS: dict[str, tuple[tuple[str, ...], float]] = {
    "cfn-lint": (("cfn-lint", "--non-zero-exit-code", "none", "template.json"), 8),
    "checkov": (("checkov", *_CHECKOV.split()), 14),
}
"""(command, how many times as fast keywright is to be) by name."""


def main(where: str | None = None, runs: int = 5) -> None:
    """Measure and print.

    where: a folder of programs to be looked into first.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_tables(folder, TABLES, "ours")
        write_template(folder)
        ours = Command((KEYWRIGHT, "check"), folder, before=CLEAR)
        for peer, (words, goal) in PEERS.items():
            program = shutil.which(words[0], path=where) or shutil.which(words[0])
            if program is None:
                print(f"{peer}: left out, as it is not installed")
                continue
            ratio = compare(Command((program, *words[1:]), folder), ours, runs)
            print(row(peer, goal, ratio))


def write_template(folder: Path) -> None:
    """The tables of a project as a template of CloudFormation: what CreateTable takes, under the same names."""
    subprocess.run([KEYWRIGHT, "-q", "compile"], cwd=folder, check=True)
    made: dict[str, Any] = {}
    for file in sorted((folder / "build" / "dev" / "dynamodb").glob("*.json")):
        if not file.name.endswith(".after.json"):
            table = json.loads(file.read_text())
            made[table["TableName"].replace("-", "")] = {"Type": "AWS::DynamoDB::Table", "Properties": table}
    assert len(made) == TABLES
    template = {"AWSTemplateFormatVersion": "2010-09-09", "Resources": made}
    (folder / "template.json").write_text(json.dumps(template, indent=1))


def row(peer: str, goal: float, ratio: Ratio) -> str:
    """One line."""
    spread = f"{ratio.low:.1f} to {ratio.high:.1f}"
    return f"check of {TABLES} tables, as fast as {peer}: {ratio.median:.1f} times ({spread}), goal: {goal:.0f}"


if __name__ == "__main__":
    main(*sys.argv[1:2])
