"""An index that is taken out of a public design leaves unserved exactly the patterns that it served."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.corpora import mcp, workbench
from tests.corpora.modelfile import NEEDED, Design, table, verdicts

pytestmark = NEEDED

CASES = [
    (source, name, index)
    for source in ("mcp", "workbench")
    for name, lines in table(source).items()
    for index in sorted({line.verdict.split(",")[0] for line in lines.values() if line.verdict.startswith("gsi ")})
]
DESIGN: dict[str, Callable[..., Design]] = {"mcp": mcp.design, "workbench": workbench.design}


@pytest.mark.parametrize(("source", "name", "index"), CASES)
def test_without_an_index_its_patterns_are_not_served(tmp_path: Path, source: str, name: str, index: str) -> None:
    full = {pattern: line.verdict for pattern, line in table(source)[name].items()}
    expected = {pattern: "not served" if by.split(",")[0] == index else by for pattern, by in full.items()}
    assert verdicts(tmp_path, DESIGN[source](name, without=index.removeprefix("gsi "))) == expected
