"""The tables of the cookbook are what the access matrix says of the worked example."""

import re
from collections.abc import Callable
from pathlib import Path

from keywright import api
from keywright.api.check.matrix import lines
from keywright.report import matrix
from keywright.report.matrix import MatrixRow

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "cookbook.md"


def test_the_cookbook_shows_the_matrix_as_it_is(is_golden: Callable[[Path, str], bool]) -> None:
    matrix_rows = {line.pattern.name: line for line in lines(api.plan_access(api.compile(api.load(str(ROOT)))))}

    def section(match: "re.Match[str]") -> str:
        rows = [table_row(matrix_rows[name]) for name in match[1].split()]
        head = "| pattern | served by | order | cost of a call |\n|---|---|---|---|"
        return f"<!-- cookbook: {match[1]} -->\n{head}\n" + "\n".join(rows) + "\n<!-- end of cookbook -->"

    text = PAGE.read_text(encoding="utf-8")
    sub = re.sub(r"<!-- cookbook: (.*?) -->\n.*?<!-- end of cookbook -->", section, text, flags=re.DOTALL)
    assert sub.count("| pattern |") >= 10
    assert is_golden(PAGE, sub)


def table_row(line: MatrixRow) -> str:
    """One pattern of the worked example; every pattern of the cookbook is served."""
    assert line.is_served, line.path
    cells = matrix.cells(line)
    return f"| `{line.pattern.name}` | {cells['served by']} | {cells['order']} | {cells['cost of a call']} |"
