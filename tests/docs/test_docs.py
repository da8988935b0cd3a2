"""Documentation that lags behind the code fails the build."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.docs import reference

from keywright.cli import help as overview
from keywright.engines.registry import ENGINES
from keywright.ir.json import pretty
from keywright.project.environments.schema import schema

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
IsGolden = Callable[[Path, str], bool]


def test_the_reference_of_words_is_what_the_code_says(is_golden: IsGolden) -> None:
    assert is_golden(DOCS / "reference" / "words.md", reference.words())


def test_the_reference_of_commands_is_what_they_say(is_golden: IsGolden) -> None:
    assert is_golden(DOCS / "reference" / "commands.md", reference.commands())


def test_the_schema_of_environments_is_what_the_engines_declare(is_golden: IsGolden) -> None:
    assert is_golden(DOCS / "schemas" / "environment.json", pretty(schema(ENGINES)))


def test_the_readme_shows_the_help_as_it_is() -> None:
    assert overview.text() in (ROOT / "README.md").read_text()


@pytest.mark.parametrize("page", sorted((*ROOT.glob("*.md"), *DOCS.rglob("*.md"))), ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
    links = [link for link in re.findall(r"\]\(([^)#]+)", text) if "://" not in link]
    assert [link for link in links if not (page.parent / link).exists()] == []
