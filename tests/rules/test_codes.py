"""The codes that a model may ignore are those of the rules that may be ignored."""

from typing import get_args

from keywright.declare.codes import Code
from keywright.rules.catalogue import RULES


def test_every_rule_that_may_be_ignored_can_be_named_in_a_model() -> None:
    args = set(get_args(Code))
    assert {rule.code for rule in RULES if rule.is_suppressible} - args == set()
    assert {rule.code for rule in RULES if not rule.is_suppressible} & args == set()
