"""What goes wrong with changes of Cassandra keyspaces only."""

from collections.abc import Iterator
from typing import Any

from keywright.engines.hazards.context import Context, Hazard
from keywright.engines.hazards.effect import generation
from keywright.engines.hazards.values import is_field


def null_reads(context: Context) -> Iterator[Hazard]:
    """MF106: rows that are stored read null where the model may have a default."""
    for one in context.of("AddField", engine="cassandra"):
        value: Any = one.change.after
        if is_field(one) and not value.get("required") and not context.is_filled(one):
            problem = f'rows that are stored read null in "{one.name}" of {one.entity}, whatever default the model has'
            help = "read null as the default, or raise schema_version and say in upgrades= set= what old rows get"
            yield context.hazard(one, problem, help)


def disagreeing(context: Context) -> Iterator[Hazard]:
    """LK106: a step says not to wait until all nodes know a change."""
    for stage in context.stages:
        if stage.store.startswith("cassandra/") and stage.more.get("agreement") is False:
            problem = f"step {stage.n} does not wait until all nodes know its change: the next one may be lost"
            help = "leave out agreement: after each change all nodes are waited for"
            yield context.hazard_of(stage, problem, help)


def counters(context: Context) -> Iterator[Hazard]:
    """RB103: a table of counters is rebuilt, and a counter cannot be set to what another one says."""
    for one in context.effects:
        value: Any = one.change.after
        if one.kind != "AddTable" or one.engine != "cassandra" or len(one.path) != 4 or generation(one.name)[1] == 1:
            continue
        counted = sorted(name for name, kind in value.get("columns", {}).items() if kind == "counter")
        if counted:
            problem = f'"{one.name}" is a new generation of a table of counters, which no copy can fill'
            yield context.hazard(one, problem, "count in both tables for a while by hand, then move the readers")


def without_effect(context: Context) -> Iterator[Hazard]:
    """NE101: an expiry of the table counts for rows written from now on, and for no other."""
    for one in context.of("AlterTtl", engine="cassandra"):
        was, now = (f"{side} s" if side else "never" for side in (one.change.before, one.change.after))
        problem = f'rows of "{one.table}" expired after {was}, and after {now} from now on: stored rows keep theirs'
        help = "write stored rows once more if they are meant too, and say so under ignore:"
        yield context.hazard(one, problem.replace("after never", "never"), help)
