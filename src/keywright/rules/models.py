"""Every rule of models: the catalogue on one screen, and who judges by it."""

from collections.abc import Iterator

from keywright.engines.cassandra import flaws as cassandra
from keywright.engines.dynamodb import flaws as dynamodb
from keywright.engines.flaws import everywhere
from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.mongodb import flaws as mongodb
from keywright.engines.redis import flaws as redis

from .rule import Rule, Severity

MODELS = (
    Rule("GEN004", everywhere.unserved),
    Rule("GEN107", everywhere.money_as_float, severity="warning", confidence="inferred"),
    Rule("MDB001", mongodb.unbounded_arrays),
    Rule("MDB002", mongodb.long_arrays, severity="warning"),
    Rule("DDB004", dynamodb.few_partitions, in_dev="warning"),
    Rule("DDB010", dynamodb.few_index_partitions, in_dev="warning"),
    Rule("CAS015", cassandra.few_copies, in_dev="warning"),
    Rule("CAS017", cassandra.brittle_quorums, in_dev="warning"),
    Rule("RED001", redis.boundless, in_dev="warning"),
    Rule("RED004", redis.lasting, in_dev="warning"),
)
"""What compiles, and hurts in production."""


def flaws(whole: Whole) -> Iterator[tuple[Rule, Flaw]]:
    """Everything that is wrong with a project."""
    for rule in MODELS:
        assert rule.check is not None, rule.code
        yield from ((rule, flaw) for flaw in rule.check(whole))


def severity(rule: Rule, *, follows_models: bool) -> Severity:
    """How bad it is in an environment."""
    return (rule.in_dev or rule.severity) if follows_models else rule.severity
