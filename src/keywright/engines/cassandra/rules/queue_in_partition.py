"""CAS012: rows are put, read and deleted in one partition as in a queue, and reads walk over all that is gone."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.rates import calls, items_per_second

from ..access.growth import tombstones
from ..capabilities import TOMBSTONES_WARNED
from ..tables import entities
from ..turnover import deleted


def models(whole: Whole, *, share: float = 0.1, max_tombstones: int = TOMBSTONES_WARNED.value) -> Iterator[Flaw]:
    """Every table of partitions from which nearly as much is deleted as is read, and every declared queue.

    share: deletions for each read that are allowed. max_tombstones: tombstones that a partition may hold all the same.
    """
    for _, binding, known in entities(whole):
        if not known.table.clustering:
            continue
        gone, read = deleted(whole, binding), items_per_second(whole, binding, "read", "count")
        dead = tombstones(known, gone)
        is_queue = getattr(binding.spec, "kind", "") == "queue" and any(calls(whole, binding, "delete"))
        is_heavy = bool(gone and read and gone > share * read and dead and dead > max_tombstones)
        if not is_queue and not is_heavy:
            continue
        how = f"{gone:,.0f} rows a second are deleted and {read:,.0f} reads made" if gone and read else "it is a queue"
        many = f", which leaves {dead:,.0f} tombstones in a partition" if dead else ""
        yield Flaw(
            problem=f"{how}{many}; every read walks over them",
            help="keep a queue in a RedisStream or RedisList; or cut the partition by time and let rows expire by ttl=",
            subject=binding.name,
        )
