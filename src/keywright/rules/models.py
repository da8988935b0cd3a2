"""Every rule of models: the catalogue on one screen, and who judges by it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from traceback import extract_tb
from typing import Any

from keywright.engines.flaws.context import Flaw, Stored, Whole
from keywright.engines.flaws.resource import NotKnown

from .options import Options
from .parameters import arguments
from .rule import Rule, Severity


def _in(folder: str, code: str, name: str, **more: Any) -> Rule:
    return Rule(code, module=f"{folder}.{name.replace('-', '_')}", **more)


_portable = partial(_in, "keywright.rules.portable")
_mongodb = partial(_in, "keywright.engines.mongodb.rules")
_dynamodb = partial(_in, "keywright.engines.dynamodb.rules")
_cassandra = partial(_in, "keywright.engines.cassandra.rules")
_redis = partial(_in, "keywright.engines.redis.rules")

PORTABLE = (
    _portable("GEN001", "entity-without-pattern", in_dev="warning"),
    _portable(
        "GEN002", "pattern-without-rate-or-target", severity="warning", in_dev="info",
        strict={"required": ("rate", "p99_ms")},
    ),
    _portable("GEN004", "unserved-pattern"),
    _portable("GEN005", "join-at-read", severity="warning"),
    _portable("GEN006", "over-denormalised-field", severity="warning", confidence="estimated"),
    _portable("GEN007", "copy-without-source", in_dev="warning"),
    _portable("GEN008", "temporal-without-ttl", in_dev="warning"),
    _portable("GEN010", "consistency-mismatch", in_dev="warning"),
    _portable("GEN011", "size-over-limit", in_dev="warning", confidence="estimated"),
    _portable("GEN012", "engine-misfit", severity="warning", confidence="estimated"),
    _portable("GEN013", "cut-over-out-of-order", in_dev="warning"),
    _portable("GEN019", "schema-version-without-reader", in_dev="warning"),
    _portable("GEN020", "relation-shape-mismatch", severity="warning"),
    _portable("GEN021", "unbounded-list-pattern", in_dev="warning"),
    _portable("GEN107", "money-as-float", in_dev="warning", confidence="inferred", instead_of=("DDB023",)),
)
"""Of every engine."""

MONGODB = (
    _mongodb("MDB001", "unbounded-array"),
    _mongodb("MDB002", "embedded-array-too-long", severity="warning"),
)
"""Of MongoDB and DocumentDB."""

DYNAMODB = (
    _dynamodb("DDB004", "low-cardinality-partition-key", in_dev="warning"),
    _dynamodb("DDB010", "gsi-hot-key", in_dev="warning"),
)
"""Of DynamoDB."""

CASSANDRA = (
    _cassandra("CAS015", "replication-not-production", in_dev="warning"),
    _cassandra("CAS017", "quorum-survives-nothing", in_dev="warning"),
)
"""Of Cassandra, Scylla and Keyspaces."""

REDIS = (
    _redis("RED001", "maxmemory-unset", in_dev="warning"),
    _redis("RED004", "key-without-ttl", in_dev="warning"),
)
"""Of Redis and Valkey."""

MODELS = (*PORTABLE, *MONGODB, *DYNAMODB, *CASSANDRA, *REDIS)
"""What compiles, and hurts in production."""

CRASHED = Rule("RUN001", is_suppressible=False)
"""A rule that failed: its silence would pass for a sound project."""


def flaws(whole: Whole, options: Options, *, follows_models: bool) -> Iterator[tuple[Rule, Severity, Flaw]]:
    """Everything that is wrong with a project, and how bad it is.

    follows_models: whether the environment follows its models, as development does.
    """
    for rule in MODELS:
        severity = options.severity(rule, follows_models=follows_models)
        if severity is None:
            continue
        given = options.given(rule)
        for told, finder in _told(rule, whole):
            for found, flaw in judged(rule, finder, told, given):
                if found is not rule:
                    yield found, found.severity, flaw
                elif flaw.severity is None:
                    yield rule, severity, flaw
                else:
                    milder = options.severity(
                        replace(rule, severity=flaw.severity, in_dev=None), follows_models=follows_models
                    )
                    if milder is not None:
                        yield rule, milder, flaw


def judged(
    rule: Rule, finder: Callable[..., Iterable[Flaw]], told: Any, given: Mapping[str, Any]
) -> Iterator[tuple[Rule, Flaw]]:
    """What one finder says, with its rule; if it fails, also that, with the rule of what fails.

    told: what it is told. given: values of the rule's parameters. NotKnown where it asks for what is not known yet.
    """
    try:
        for flaw in finder(told, **arguments(finder, given)):
            yield rule, flaw
    except NotKnown:
        raise  # whoever told it of resources knows what to make of that
    except Exception as error:  # noqa: BLE001  # whatever a rule does wrong, the others are asked
        last = extract_tb(error.__traceback__)[-1]
        yield (
            CRASHED,
            Flaw(
                problem=f"the rule {rule.code} failed: {type(error).__name__}: {error} "
                f"({Path(last.filename).name}:{last.lineno})",
                help=f'the other rules were asked all the same; report it, and say ignore = ["{rule.code}"] until then',
                subject=rule.code,
            ),
        )


def _told(rule: Rule, whole: Whole) -> Iterator[tuple[Whole | Stored, Callable[..., Iterable[Flaw]]]]:
    if (finder := rule.finder("models")) is not None:
        yield whole, finder
    if (finder := rule.finder("stored")) is not None:
        yield from ((one, finder) for one in whole.targets if is_about(rule, one.engine))


_ENGINES = {"MDB": "mongodb", "DDB": "dynamodb", "CAS": "cassandra", "RED": "redis"}


def is_about(rule: Rule, engine: str) -> bool:
    """Whether a rule is about an engine; the portable ones are about all."""
    return _ENGINES.get(rule.code[:3], engine) == engine
