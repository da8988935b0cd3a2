"""The costs that the README and the documentation show are those of the worked example."""

import re
from pathlib import Path

from tests.projects import imported_alone

from keywright import api
from keywright.api.check.matrix import lines
from keywright.report.matrix import cost_of

ROOT = Path(__file__).parents[2]
_ROW = re.compile(r"^(\w+) +(?:table|gsi|index) \S+(?: x\d+)? +(\S+ (?:RCU|WCU)) +\S+/s$", re.MULTILINE)


def test_the_readme_shows_costs_as_they_are() -> None:
    with imported_alone(ROOT):
        costs = {line.pattern.name: cost_of(line) for line in lines(api.plan_access(api.compile(api.load(str(ROOT)))))}
    findall = dict(_ROW.findall((ROOT / "README.md").read_text(encoding="utf-8")))
    assert len(findall) == 3
    assert findall == {name: costs[name] for name in findall}
    assert f"`{costs['orders_of_user']}`" in (ROOT / "docs" / "patterns.md").read_text(encoding="utf-8")
