"""The catalogue of docs/rules is what the registries and pages say, and the guide tells of every option of `check`."""

import re
from collections.abc import Callable
from pathlib import Path

from keywright.cli.check import FORMATS, command
from keywright.pages.catalogue import codes
from keywright.report.rules import markdown
from keywright.rules.listing import entries

DOCS = Path(__file__).parents[2] / "docs"

HEAD = (
    "# Every code\n\n"
    "What `keywright rules` lists. Each code leads to its page: what is checked, why it is bad, a bad and a good case "
    "that tests run,\nthe fix, its source, and what real servers say. `keywright explain CODE` prints it. How rules "
    "are chosen, accepted and fixed is\ntold in [Rules](../rules.md).\n\n"
)


def test_the_catalogue_is_that_of_the_registries(is_golden: Callable[[Path, str], bool]) -> None:
    assert is_golden(DOCS / "rules" / "README.md", HEAD + markdown(entries(), "../../src/keywright/pages/"))


def test_every_page_stands_in_the_catalogue() -> None:
    assert sorted(one.code for one in entries()) == sorted(codes())


def test_the_guide_tells_of_every_option_and_form() -> None:
    guide = (DOCS / "rules.md").read_text(encoding="utf-8")
    options = [max(one.opts, key=len) for one in command.params if one.opts[0].startswith("-")]
    shared = {"--format", "--project", "--env", "--color", "--quiet", "--verbose", "--help"}
    assert [one for one in options if one not in guide and one not in shared] == []
    assert [form for form in FORMATS if not re.search(rf"`{form}`", guide)] == []
