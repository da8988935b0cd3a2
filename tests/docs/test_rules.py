"""The catalogue of docs/rules is what the registries and pages say, and the guide tells of every option of `check`."""

import re
from collections.abc import Callable
from pathlib import Path
from textwrap import fill

from keywright.cli.commands.check import FORMATS, command
from keywright.declare import codes
from keywright.pages import catalogue
from keywright.report.rules import markdown
from keywright.rules.listing import entries

DOCS = Path(__file__).parents[2] / "docs"

HEAD = (
    "# Every code\n\n"
    "What `keywright rules` lists. Each code leads to its page: what is checked, why it is bad, a bad and a good case "
    "that tests run,\nthe fix, its source, and what real servers say. `keywright explain CODE` prints it. How rules "
    "are chosen, accepted and fixed is\ntold in [Rules](../rules.md).\n\n"
)


CODES = Path(codes.__file__)

CODES_HEAD = '''\
"""Every rule that a model may ignore, for completion in editors; not imported at run time."""

from typing import Literal, TypeAlias

Code: TypeAlias = Literal[
'''

CODES_FOOT = '''\
]  # fmt: skip
"""A finding that may be accepted; what is illegal, and what loses data, is absent."""
'''


def test_the_catalogue_is_that_of_the_registries(is_golden: Callable[[Path, str], bool]) -> None:
    assert is_golden(DOCS / "rules" / "README.md", HEAD + markdown(entries(), "../../src/keywright/pages/"))


def test_editors_offer_every_code_that_may_be_ignored(is_golden: Callable[[Path, str], bool]) -> None:
    text = ", ".join(f'"{code}"' for code in sorted(entry.code for entry in entries() if entry.is_suppressible))
    lines = fill(text, 120, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False)
    assert is_golden(CODES, f"{CODES_HEAD}{lines},\n{CODES_FOOT}")


def test_every_page_stands_in_the_catalogue() -> None:
    assert sorted(entry.code for entry in entries()) == sorted(catalogue.codes())


def test_the_guide_tells_of_every_option_and_form() -> None:
    guide = (DOCS / "rules.md").read_text(encoding="utf-8")
    options = [max(param.opts, key=len) for param in command.params if param.opts[0].startswith("-")]
    shared = {"--format", "--project", "--env", "--color", "--quiet", "--verbose", "--import-timeout", "--help"}
    assert [option for option in options if option not in guide and option not in shared] == []
    assert [form for form in FORMATS if not re.search(rf"`{form}`", guide)] == []
