"""Rules for migrations of Cassandra keyspaces."""

from collections.abc import Iterator
from typing import Any

from keywright.engines.findings.migration.context import MigrationContext, MigrationFindingDraft
from keywright.engines.findings.migration.effect import generation
from keywright.engines.findings.migration.rebuilds import HELP_COLUMN
from keywright.engines.findings.migration.values import is_field
from keywright.engines.findings.rule import Rule


def null_reads(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """MF106: stored rows read null in a new field, although the model may have a default."""
    for effect in context.of("AddField", engine="cassandra"):
        value: Any = effect.change.after
        if is_field(effect) and not value.get("required") and not context.is_filled(effect):
            problem = (
                f'rows that are stored read null in "{effect.name}" of {effect.entity}, whatever default the model has'
            )
            help = (
                "read null as the default, or raise schema_version and set the value of old rows in upgrades= with set="
            )
            yield context.hazard(effect, problem, help)


def disagreeing(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """LK106: a step does not wait until all nodes have a schema change."""
    for step in context.steps:
        if step.store.startswith("cassandra/") and step.more.get("agreement") is False:
            problem = f"step {step.n} does not wait until all nodes know its change: the next one may be lost"
            help = "remove agreement: each change waits for all nodes"
            yield context.hazard_of(step, problem, help)


def counters(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """RB103: a table of counters is rebuilt, but a counter cannot be set to the value of another counter."""
    for effect in context.effects:
        value: Any = effect.change.after
        if (
            effect.kind != "AddTable"
            or effect.engine != "cassandra"
            or len(effect.path) != 4
            or generation(effect.name)[1] == 1
        ):
            continue
        counter_names = sorted(name for name, kind in value.get("columns", {}).items() if kind == "counter")
        if counter_names:
            problem = f'"{effect.name}" is a new generation of a table of counters, which no copy can fill'
            yield context.hazard(effect, problem, "count in both tables for a while by hand, then move the readers")


def without_effect(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """NE101: a new time to live of a table applies only to rows written after the change."""
    for effect in context.of("AlterTtl", engine="cassandra"):
        old, new = (f"{seconds} s" if seconds else "never" for seconds in (effect.change.before, effect.change.after))
        problem = (
            f'rows of "{effect.table}" expired after {old}, and after {new} from now on: stored rows keep their expiry'
        )
        help = "write stored rows again if the change applies to them, and suppress the finding under ignore:"
        yield context.hazard(effect, problem.replace("after never", "never"), help)


def static_columns(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """RB101: a column becomes static, or stops being static."""
    dropped = {(drop.store, drop.path[:4], drop.name): drop for drop in context.of("DropField", engine="cassandra")}
    for effect in context.of("AddField", engine="cassandra"):
        other = dropped.get((effect.store, effect.path[:4], effect.name))
        if other is not None and {effect.path[4:5], other.path[4:5]} == {("static",), ("columns",)}:
            problem = (
                f'column "{effect.name}" of "{effect.table}" cannot change between static and regular: '
                "the server remembers dropped columns"
            )
            yield context.hazard(effect, problem, HELP_COLUMN)


RULES = (
    Rule("RB101", static_columns, is_suppressible=False),
    Rule("RB103", counters, is_suppressible=False),
    Rule("MF106", null_reads, severity="warning", confidence="inferred"),
    Rule("LK106", disagreeing),
    Rule("NE101", without_effect, severity="warning"),
)
"""Migration rules for Cassandra keyspaces only."""
