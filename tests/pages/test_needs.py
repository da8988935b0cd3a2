"""The facts that rules need: without them, a rule is silent about the bad case of its page."""

import ast
from pathlib import Path
from typing import get_args

import pytest
from tests.pages.test_pages import MODELS
from tests.projects import findings_of

from keywright.engines.findings.rule import Need
from keywright.pages.catalogue import page
from keywright.rules import models

OPTIONS = {"rate": ("rate", "peak", "hot_key"), "expected": ("expected", "active", "max_referrers")}
"""Options of models that are no longer there when a fact is not declared."""

assert {*OPTIONS} == {*get_args(Need)}

ASKS_FOR_IT = "GEN002"
"""The rule that a fact is not declared."""


class Without(ast.NodeTransformer):
    """Removes options from a module, and remembers whether it had any."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names, self.has_removed = names, False

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        kept = [keyword for keyword in node.keywords if keyword.arg not in self.names]
        self.has_removed |= len(kept) < len(node.keywords)
        node.keywords = kept
        return node


@pytest.mark.parametrize("need", OPTIONS)
@pytest.mark.parametrize("code", sorted({*MODELS} - {ASKS_FOR_IT}))
def test_a_rule_that_is_silent_without_a_fact_says_that_it_needs_it(code: str, need: Need, tmp_path: Path) -> None:
    without, files = Without(OPTIONS[need]), dict(page(code).bad)
    for name, text in files.items():
        if name.endswith(".py"):
            files[name] = ast.unparse(without.visit(ast.parse(text)))
    if not without.has_removed:
        return
    is_silent = code not in {finding.code for finding in findings_of(tmp_path, files)}
    (rule,) = (rule for rule in models.MODELS if rule.code == code)
    assert not is_silent or need in rule.needs
