"""The pages of the codes: each a Markdown file beside this one, with a bad and a good case that the tests execute."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from keywright.record import Record

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

GROUP = "keywright.pages"
"""Group of entry points for pages of other packages: each names a package whose Markdown files are pages."""

HEADINGS = ("What it checks", "Why it is bad", "Bad", "Good", "Fix", "Source", "Engine evidence")
"""The headings of a page, in their order."""

DOCUMENTATION = "https://keywright.dev/codes/"
"""Default address of the published pages; a page stands below it under its code."""

PARAMETERS = "Parameters"
"""The heading of what a project may set of a rule, after the fix, on pages of rules that have some."""

CASE = "models/case.py"
"""Where the Python block of a case goes."""

RULE = "rule.py"
"""Where the rule of a case goes that is about rules."""

PREVIEW, ALLOWED = "preview.json", "allowed.txt"
"""Where the preview of a case goes, and what is allowed of it."""

RESOURCES = "resources.yaml"
"""Where the resources of a Pulumi program go."""

OBSERVED = "observed.yaml"
"""Where what was seen of a live store goes."""

PLACES = {
    "python": CASE, "yaml": "stacks/Pulumi.dev.yaml", "yaml prod": "stacks/Pulumi.prod.yaml",
    "toml": "pyproject.toml",
    **{f"python {time}": f"{time}/{CASE}" for time in ("before", "between", "after")},
    "python rule": RULE, "yaml migration": "migration.yaml", "yaml sizes": "sizes.yaml", "sh": "edit.sh",
    "json preview": PREVIEW, "text allowed": ALLOWED, "yaml resources": RESOURCES,
    "yaml observed": OBSERVED,
}  # fmt: skip
"""The file that a block is, by what stands behind its backticks.

A case of a migration has the models before and after it, sometimes between. Besides, it may have what a person writes
into its `migration.yaml`, the bytes of tables that a server would tell, and what is done in `migrations/` afterwards.
A case of the guard is what Pulumi previews, and what of it `--allow` names. A case of the policy pack is the resources
of a program, each with its type, name, inputs and options; inputs that are not told are as they had better be. A case
of a live store has beside its models what was seen of one of their targets.
"""

_FOLDER = Path(__file__).parent  # importlib.resources would import tempfile and shutil

_TITLE = re.compile(r"# ([A-Z]+\d+) ([a-z0-9-]+)\n\n(.+)\n")
_BLOCK = re.compile(r"```(\w+(?: \w+)?)\n(.*?)```", re.DOTALL)
_FILE = re.compile(r"^# file: (\S+)\n", re.MULTILINE)


class CodePage(Record):
    """What is documented of one code."""

    code: str
    """Such as `E0103`."""
    name: str
    """The problem in a few words, such as `module-name-clash`."""
    summary: str
    """One sentence."""
    text: str
    """The whole page, in Markdown."""
    bad: Mapping[str, str]
    """Files of a project that has the problem, by path; what a project needs beside them is not told."""
    good: Mapping[str, str]
    """Files of the same project without it."""

    @property
    def is_of_migrations(self) -> bool:
        """Whether its cases are migrations: models at two times."""
        return f"after/{CASE}" in self.bad

    @property
    def is_of_rules(self) -> bool:
        """Whether its cases are rules."""
        return RULE in self.bad

    @property
    def is_of_resources(self) -> bool:
        """Whether there are cases that are resources of a Pulumi program."""
        return RESOURCES in self.bad

    @property
    def is_of_live_stores(self) -> bool:
        """Whether its cases are what was seen of live stores."""
        return OBSERVED in self.bad

    @property
    def is_of_previews(self) -> bool:
        """Whether its cases are previews of Pulumi."""
        return PREVIEW in self.bad


@cache
def codes() -> tuple[str, ...]:
    """Every code that has a page, sorted."""
    names = (entry.name for entry in _FOLDER.iterdir())
    return tuple(sorted(name.removesuffix(".md") for name in names if name.endswith(".md")))


@cache
def page(code: str) -> CodePage:
    """The page of a code of this package or of another package; raises KeyError if it has none."""
    text = ((_FOLDER if code in codes() else _folder(code)) / f"{code}.md").read_text(encoding="utf-8")
    title = _TITLE.match(text)
    assert title is not None, f"the page of {code} does not begin with its code, name and summary"
    return CodePage(title[1], title[2], title[3], text, _files(section(text, "Bad")), _files(section(text, "Good")))


def url_of(code: str, documentation: str = DOCUMENTATION) -> str:
    """Address of the page of a code.

    documentation: address below which the pages stand.
    """
    return f"{documentation.rstrip('/')}/{code}"


def _folder(code: str) -> "Traversable":
    """The folder of another package with the page of a code."""
    from importlib.metadata import entry_points  # slow, and needed for codes of other packages only
    from importlib.resources import files

    for point in entry_points(group=GROUP):
        folder = files(point.value)
        if folder.joinpath(f"{code}.md").is_file():
            return folder
    raise KeyError(code)


def section(text: str, heading: str) -> str:
    """What stands below one heading of a page."""
    _, _, rest = text.partition(f"\n## {heading}\n")
    return rest.partition("\n## ")[0].strip()


def _files(case: str) -> dict[str, str]:
    """The files that the blocks of a case hold, by path."""
    found: dict[str, str] = {}
    for kind, block in _BLOCK.findall(case):
        first, *others = _FILE.split(block)
        if first.strip():
            found[PLACES[kind]] = first
        found.update(zip(others[::2], others[1::2], strict=True))
    return found
