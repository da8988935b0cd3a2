"""DDB017: a read that must be strong would be served by a global index, which is never so fresh."""

from collections.abc import Iterator
from dataclasses import replace

from keywright.access.path import AccessPath
from keywright.engines.dynamodb.access.paths import paths
from keywright.engines.dynamodb.uses import unserved
from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.fix import Fix, SetArgument


def models(whole: Whole) -> Iterator[Flaw]:
    """Every such pattern."""
    for use, _ in unserved(whole):
        said = use.pattern.consistency
        if said == "eventual" or use.pattern.kind not in ("get", "read", "count"):
            continue
        milder = replace(use.pattern, consistency="eventual")
        found = next(
            (one for one in paths(use.entity.table, use.entity.binding, milder) if isinstance(one, AccessPath)), None
        )
        if found is not None:
            yield Flaw(
                problem=f'it says consistency="{said}", and only index "{found.by.name}" serves it, '
                "which is read eventually",
                help='read by the key of the table; or accept what is a moment old, by consistency="eventual"',
                subject=use.name,
                at=use.pattern.at,
                fix=Fix((SetArgument("consistency", '"eventual"'),)),
            )
