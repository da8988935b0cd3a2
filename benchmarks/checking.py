"""`python -m benchmarks.checking`: all rules over 100 tables, against linters of the same tables as CloudFormation.

Whole processes alternate, without caches. The linters check a template; keywright reads models, compiles them and
checks their meaning as well.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from .pairs import Command, Ratio, compare
from .peers import program
from .tables import write_tables

KEYWRIGHT = str(Path(sys.executable).with_name("keywright"))
CLEAR = (sys.executable, "-c", "import shutil; shutil.rmtree('.keywright', True)")
TABLES = 100

_CHECKOV = "--soft-fail --quiet --compact --skip-download --framework cloudformation -f template.json"

LINTERS: dict[str, tuple[tuple[str, ...], float]] = {
    "cfn-lint": (("--non-zero-exit-code", "none", "template.json"), 7),
    "checkov": (tuple(_CHECKOV.split()), 10),
}
"""(arguments, goal of times as fast) by program."""


def main(runs: int = 11) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_tables(folder, TABLES, "ours")
        write_template(folder)
        ours = Command((KEYWRIGHT, "check"), folder, before=CLEAR)
        for linter, (words, goal) in LINTERS.items():
            ratio = compare(Command((program(linter), *words), folder), ours, runs)
            print(row(linter, goal, ratio))


def write_template(folder: Path) -> None:
    """The tables of a project as a template of CloudFormation: what CreateTable takes, under the same names."""
    subprocess.run([KEYWRIGHT, "-q", "compile"], cwd=folder, check=True)
    resources: dict[str, Any] = {}
    for file in sorted((folder / "build" / "dev" / "dynamodb").glob("*.json")):
        if not file.name.endswith(".after.json"):
            table = json.loads(file.read_text())
            resources[table["TableName"].replace("-", "")] = {"Type": "AWS::DynamoDB::Table", "Properties": table}
    assert len(resources) == TABLES
    template = {"AWSTemplateFormatVersion": "2010-09-09", "Resources": resources}
    (folder / "template.json").write_text(json.dumps(template, indent=1))


def row(linter: str, goal: float, ratio: Ratio) -> str:
    """One line."""
    spread = f"{ratio.low:.1f} to {ratio.high:.1f}"
    return f"check of {TABLES} tables, as fast as {linter}: {ratio.median:.1f} times ({spread}), goal: {goal:.0f}"


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
