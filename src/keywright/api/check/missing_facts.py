"""The undeclared facts without which rules do not judge: rates of access patterns, numbers of items of entities."""

from collections.abc import Collection, Iterator

from keywright.engines.findings.pattern_facts import expected
from keywright.engines.findings.rule import Need
from keywright.ir.design import Design
from keywright.record import Record
from keywright.rules.rule import Rule


class MissingFact(Record):
    """An option that some declarations lack."""

    option: Need
    """The option, such as `rate`."""
    noun: str
    """What would have it: `access pattern` or `entity`."""
    nouns: str
    """The plural."""
    names: tuple[str, ...]
    """Names of the declarations without it."""
    codes: tuple[str, ...]
    """Codes of the rules that do not judge these declarations."""


def missing_facts(design: Design, rules: Collection[Rule]) -> Iterator[MissingFact]:
    """The facts that declarations of a design lack, if any of the rules needs them."""
    patterns = tuple(pattern.name for pattern in design.patterns if pattern.load.per_second is None)
    entities = tuple(binding.name for binding in design.bindings if expected(binding) is None)
    for fact in (
        MissingFact("rate", "access pattern", "access patterns", patterns, _codes("rate", rules)),
        MissingFact("expected", "entity", "entities", entities, _codes("expected", rules)),
    ):
        if fact.names and fact.codes:
            yield fact


def _codes(need: Need, rules: Collection[Rule]) -> tuple[str, ...]:
    return tuple(rule.code for rule in rules if need in rule.needs)
