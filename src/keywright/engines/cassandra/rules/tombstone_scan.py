"""CAS010: a query walks over more tombstones than a node takes without complaint."""

from collections.abc import Iterator

from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.observation import Seen
from keywright.engines.flaws.rates import calls

from ..access.calls import Select
from ..access.growth import YEAR, bucket_seconds, is_moment, rows, tombstones
from ..access.layout import Layout
from ..capabilities import TOMBSTONES_REFUSED, TOMBSTONES_WARNED
from ..tables import entities
from ..target import KeyspaceTarget
from ..turnover import added, deleted


def models(
    whole: Whole, *, warn: int = TOMBSTONES_WARNED.value, abort: int = TOMBSTONES_REFUSED.value, years: int = 3
) -> Iterator[Flaw]:
    """Every read of a partition from which so much is deleted, as far as rates and numbers of values are declared.

    warn: tombstones that a query may walk over. abort: above so many a node gives it up. years: how long a partition is
    looked at that takes rows for ever.
    """
    for _, binding, known in entities(whole):
        old, others = (tombstones(known, deleted(whole, binding, why)) or 0 for why in ("expiry", "request"))
        if bucket_seconds(known) is not None:
            old = 0  # nobody reads the buckets of what is too old
        if old + others <= warn:
            continue
        live = rows(known, binding, added(whole, binding), years * YEAR)
        for plan, _ in calls(whole, binding, "read", "count"):
            met = _met(known, plan, old, others, live)
            if met > warn:
                end = f"at {abort:,} a node gives it up" if met <= abort else f"and a node gives up at {abort:,}"
                yield Flaw(
                    problem=f"one call walks over about {met:,.0f} tombstones, {warn:,} are allowed, {end}",
                    help="let rows expire by ttl= instead of deleting them, or add a bucket of time to partition=",
                    subject=plan.pattern.name,
                    at=plan.pattern.at,
                )


def live(seen: Seen, *, warn: int = TOMBSTONES_WARNED.value, abort: int = TOMBSTONES_REFUSED.value) -> Iterator[Flaw]:
    """Every table whose reads walk over so many, as the node that was asked remembers them."""
    for place, figures in seen.found.tables.items():
        usual, most = (figures.get(name, 0) for name in ("tombstones_p99", "tombstones_most"))
        if isinstance(usual, (int, float)) and isinstance(most, (int, float)) and usual > warn:
            yield Flaw(
                problem=f"one read in a hundred of {place} walks over {usual:,.0f} tombstones or more, the worst over "
                f"{most:,.0f}; {warn:,} are allowed, at {abort:,} a node gives it up",
                help="let rows expire by ttl= instead of deleting them, or add a bucket of time to partition=",
                subject=seen.subject(place),
            )


def _met(known: Layout, plan: Planned[KeyspaceTarget], old: float, others: float, live: float | None) -> float:
    """Tombstones that a page meets: all in a partition that is read whole, those of the oldest rows where it begins
    there, and of what was deleted at any place its share.
    """
    call = plan.path.call if isinstance(plan.path, AccessPath) else None
    if not isinstance(call, Select) or call.relation != known.table.name or call.clustering or call.bounds:
        return 0
    if plan.pattern.kind == "count" or plan.pattern.limit is None:
        return old + others
    first = call.open[0] if call.open else None
    part = next((one for one in known.table.clustering if first and one.name == first.cell.name), None)
    met = old if first and part and is_moment(part) and not first.is_descending else 0.0
    return met + (others * min(1, plan.pattern.limit / live) if live else 0)
