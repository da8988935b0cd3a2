"""MDB112: a unique index holds a field that may be null, and so takes one document without it.

https://www.mongodb.com/docs/manual/core/index-unique/ (2026-11-22)
"""

from collections.abc import Iterator

from keywright.declare.names import ordered
from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.fix import Fix, SetArgument
from keywright.engines.mongodb.fields import store_of
from keywright.engines.mongodb.indexes import Index
from keywright.engines.mongodb.lower_index import lowered
from keywright.ir.entity import resolve


def models(whole: Whole) -> Iterator[Flaw]:
    """Every such index that does not leave out documents without the field."""
    for binding in whole.bindings("mongodb"):
        for index in store_of(binding).indexes:
            if not isinstance(index, Index) or not index.unique:
                continue
            for name in ordered(index.keys):
                found = resolve(binding.entity.attributes, name) or ()
                if any(one.is_nullable for one in found) and name not in index.where:
                    where = f'{{"{name}": kw.Present()}}'
                    yield Flaw(
                        problem=f'"{name}" of a unique index may be null, and of those without it one document alone '
                        "is let in",
                        help=f"say where={where} in the index",
                        subject=binding.name,
                        part=lowered(binding, index).name,
                        fix=None if index.where else Fix((SetArgument("where", where),)),
                    )
