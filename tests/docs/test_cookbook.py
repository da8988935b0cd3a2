"""The tables of the cookbook are what the access matrix says of the worked example."""

import re
from collections.abc import Callable
from pathlib import Path

from keywright import api
from keywright.api.patterns import lines
from keywright.report import matrix
from keywright.report.matrix import Line

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "cookbook.md"


def test_the_cookbook_shows_the_matrix_as_it_is(is_golden: Callable[[Path, str], bool]) -> None:
    found = {one.pattern.name: one for one in lines(api.plan_access(api.compile(api.load(str(ROOT)))))}

    def section(match: "re.Match[str]") -> str:
        rows = [table_row(found[name]) for name in match[1].split()]
        head = "| pattern | served by | order | cost of a call |\n|---|---|---|---|"
        return f"<!-- cookbook: {match[1]} -->\n{head}\n" + "\n".join(rows) + "\n<!-- end of cookbook -->"

    text = PAGE.read_text(encoding="utf-8")
    made = re.sub(r"<!-- cookbook: (.*?) -->\n.*?<!-- end of cookbook -->", section, text, flags=re.DOTALL)
    assert made.count("| pattern |") >= 10
    assert is_golden(PAGE, made)


def table_row(line: Line) -> str:
    """One pattern of the worked example; every pattern of the cookbook is served."""
    assert line.is_served, line.path
    cells = matrix.cells(line)
    return f"| `{line.pattern.name}` | {cells['served by']} | {cells['order']} | {cells['cost of a call']} |"
