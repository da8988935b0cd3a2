"""The stored form of a dynamic provider: code for a class of the program, a name for any other."""

import subprocess
import sys
from pathlib import Path

import pytest

from keywright.engines.findings.program.resource import ProgramResource
from keywright.rules.infra.provider_class_in_main import resource

CLASS = """
from pulumi.dynamic import ResourceProvider


class Notes(ResourceProvider):
    serialize_as_secret_always = False

    def create(self, props):
        return None
"""

PROGRAM = """
from pulumi.dynamic.dynamic import serialize_provider

print(serialize_provider(Notes()))
"""


@pytest.mark.parametrize(("is_in_main", "count"), [(True, 1), (False, 0)])
def test_a_class_of_the_program_is_kept_as_code_and_found(is_in_main: bool, count: int, tmp_path: Path) -> None:
    (tmp_path / "notes.py").write_text(CLASS, encoding="utf-8")
    program = (CLASS if is_in_main else "from notes import Notes\n") + PROGRAM
    (tmp_path / "program.py").write_text(program, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "program.py"], cwd=tmp_path, capture_output=True, text=True, check=False
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    program_resource = ProgramResource(
        type="pulumi-python:dynamic/shop:Note", urn="urn:pulumi:prod::shop::pulumi-python:dynamic/shop:Note::note",
        inputs={"__provider": done.stdout.strip()},
    )  # fmt: skip
    assert len(list(resource(program_resource))) == count
