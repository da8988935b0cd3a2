"""CAS020: a keyspace is in one data centre, although others of the environment are in several."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext, TargetInEnvironment
from keywright.engines.findings.rates import items_per_second
from keywright.errors import quoted
from keywright.ir.binding import Binding

from ..access.layout import Layout
from ..declare.options import CqlTable
from ..declare.settings import CassandraEnvironment
from ..findings.tables import entities

_OBSERVATIONS = ("event", "reading", "analytics", "cache", "session")


def models(
    context: RuleContext, *, kinds: tuple[str, ...] = _OBSERVATIONS, reads_per_second: float = 10
) -> Iterator[FindingDraft]:
    """Every keyspace with fewer data centres than the environment or another keyspace, and only one, unless all of its
    rows expire and are rarely read.

    kinds: kinds of entities of which an outage may stop the recording. reads_per_second: reads per second of all such
    entities up to which nothing depends on them.
    """
    for target in context.of("cassandra"):
        own = [row[1:] for row in entities(context) if row[0] is target]
        reads = sum(items_per_second(context, binding, "get", "read", "count") or 0 for binding, _ in own)
        if own and all(_is_fleeting(binding, layout, kinds) for binding, layout in own) and reads <= reads_per_second:
            continue
        does_expire = bool(own) and all(layout.is_expiring or layout.ttl is not None for _, layout in own)
        yield from _draft(target, asks=does_expire) if _missing(target) else _alone(context, target)


def stored(target: TargetInEnvironment) -> Iterator[FindingDraft]:
    """Every such keyspace whose entities are unknown."""
    if not target.placed.shape:
        yield from _draft(target)


def _is_fleeting(binding: Binding[CqlTable], layout: Layout, kinds: tuple[str, ...]) -> bool:
    return binding.spec.kind in kinds and (layout.is_expiring or layout.ttl is not None)


def _missing(target: TargetInEnvironment) -> list[str]:
    """Data centres of the environment and its other keyspaces that a keyspace is not in."""
    environment: CassandraEnvironment = target.environment  # type: ignore[assignment]  # it is Cassandra's
    own = environment.of_keyspace(target.declared.name).datacentres or {}
    others = [environment.datacentres, *(settings.datacentres or {} for settings in environment.keyspaces.values())]
    return sorted({name for datacentres in others for name in datacentres} - own.keys())


def _alone(context: RuleContext, target: TargetInEnvironment) -> Iterator[FindingDraft]:
    """The question about a keyspace alone in its data centre, if half of another engine's stores are in two regions."""
    environment: CassandraEnvironment = target.environment  # type: ignore[assignment]  # it is Cassandra's
    own = environment.of_keyspace(target.declared.name).datacentres or {}
    replicated = [
        other for other in context.targets if other.environment.is_in_second_region(other.declared.name)
    ]  # of an engine whose settings tell
    others = [other for other in context.targets if other.engine in {store.engine for store in replicated}]
    if len(own) == 1 and replicated and len(replicated) * 2 >= len(others):
        (name,) = own
        yield FindingDraft(
            problem=f'may an outage of data centre "{name}" stop keyspace "{target.declared.name}", while '
            f'{replicated[0].engine} "{replicated[0].declared.name}" goes on in a second region?',
            help=f"if not, say datacentres: {{{name}: {own[name]}, ...}} with a data centre in that region in the "
            "stack file",
            subject=target.declared.name,
            severity="question",
            at=target.setting("datacentres"),
        )


def _draft(target: TargetInEnvironment, *, asks: bool = False) -> Iterator[FindingDraft]:
    environment: CassandraEnvironment = target.environment  # type: ignore[assignment]  # it is Cassandra's
    own = environment.of_keyspace(target.declared.name).datacentres or {}
    others = [environment.datacentres, *(settings.datacentres or {} for settings in environment.keyspaces.values())]
    missing = _missing(target)
    if len(own) == 1 and missing:
        (name,) = own
        copies = max(*own.values(), *(datacentres.get(centre, 0) for datacentres in others for centre in missing))
        factors = ", ".join(f"{centre}: {copies}" for centre in (name, *missing))
        yield FindingDraft(
            problem=f'keyspace "{target.declared.name}" is only in data centre "{name}", while others are also in '
            f"{quoted(missing)}: {'may ' if asks else ''}an outage of {name} "
            f"{'stop all its reads and writes?' if asks else 'stops all its reads and writes'}",
            help=f"{'if not, ' if asks else ''}say datacentres: {{{factors}}} in the stack file",
            subject=target.declared.name,
            severity="question" if asks else None,
            at=target.setting("datacentres"),
        )
