"""The artefacts of the worked example for production, as files that a person can read and run."""

from collections.abc import Callable
from pathlib import Path

from keywright import api

ROOT = Path(__file__).parents[2]
EXPECTED = Path(__file__).parent / "artefacts"


def test_the_worked_example_compiles_to_these_files(is_golden: Callable[[Path, str], bool]) -> None:
    compiled = api.compile(api.load(str(ROOT)), "prod")
    differing = [
        artefact.path for artefact in compiled.artefacts if not is_golden(EXPECTED / artefact.path, artefact.text)
    ]
    assert differing == []


def test_no_other_files_are_expected() -> None:
    compiled = api.compile(api.load(str(ROOT)), "prod")
    expected = {str(file.relative_to(EXPECTED)) for file in EXPECTED.rglob("*") if file.is_file()}
    assert expected == {artefact.path for artefact in compiled.artefacts}
