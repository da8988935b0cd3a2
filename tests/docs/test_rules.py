"""The table of docs/rules.md is that of the registry."""

import re
from pathlib import Path

from keywright.rules.models import MODELS
from keywright.rules.options import Options

PAGE = Path(__file__).parents[2] / "docs" / "rules.md"


def test_every_rule_of_models_stands_in_the_table_with_how_bad_it_is() -> None:
    rows = re.findall(r"^\| `([A-Z]+\d+)` \| .+ \| (\w+) \| (\w+) \|$", PAGE.read_text(), re.MULTILINE)
    assert rows == [
        (rule.code, *(Options().severity(rule, follows_models=follows) for follows in (True, False))) for rule in MODELS
    ]
