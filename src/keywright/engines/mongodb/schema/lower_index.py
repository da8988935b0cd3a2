"""Lowers declared indexes, and indexes that follow from facts of fields, to index targets."""

from collections.abc import Iterator
from typing import Any

from keywright.declare.collation import Collation
from keywright.declare.names import names
from keywright.engines.contract.named_parts import Listed, PartOwner
from keywright.engines.contract.named_parts import listed as parts
from keywright.ir.binding import Binding
from keywright.ir.json import Json

from ..declare.indexes import WHOLE, AnyIndex, GeoIndex, HashedIndex, Index, TextIndex, WildcardIndex
from ..declare.options import AnyCollection, Collection, TimeSeries
from .fields import id_attribute, stored
from .filters import partial_filter
from .projection import Projection, normal
from .reported import collation
from .target import Direction, IndexTarget

Key = tuple[tuple[str, Direction], ...]


def indexes(binding: Binding[AnyCollection]) -> tuple[IndexTarget, ...]:
    """The indexes of an entity's collection other than that on `_id`, sorted by name."""
    targets = [*(lowered(binding, index) for index in binding.spec.indexes), *implied(binding)]
    return tuple(sorted(targets, key=lambda index: index.name))


def implied(binding: Binding[AnyCollection]) -> Iterator[IndexTarget]:
    """Indexes that no model declares: for expiry, and by source and time for a time series.

    Servers from 6.3 on create the second by themselves, under the same name.
    """
    spec, expiry = binding.spec, binding.entity.ttl
    if isinstance(spec, TimeSeries):
        if spec.meta is not None and spec.meta_index:
            yield of_series(stored(binding, spec.meta), stored(binding, spec.time))
    elif (
        isinstance(spec, Collection) and expiry is not None and not (spec.clustered and expiry is id_attribute(binding))
    ):
        path = stored(binding, expiry.name)
        yield of_expiry(path, expiry.ttl_after_seconds, _inherited(spec))


def of_series(meta: str, time: str) -> IndexTarget:
    """The index of a time series on meta and time."""
    keys: Key = ((meta, 1), (time, 1))
    return IndexTarget(default_name(keys), keys)


def of_expiry(path: str, seconds: int | None, collation: Json) -> IndexTarget:
    """The index of a field that is marked with `Ttl`."""
    keys: Key = ((path, 1),)
    return IndexTarget(default_name(keys), keys, collation=collation, expire_after_seconds=seconds)


def lowered(binding: Binding[AnyCollection], index: AnyIndex) -> IndexTarget:
    """One declared index."""
    keys = _keys(binding, index)
    is_text = isinstance(index, TextIndex)
    own = index.collation if isinstance(index, Index) else None
    return IndexTarget(
        name=index.name or default_name(keys),
        keys=tuple(sorted(keys)) if is_text else keys,
        is_unique=isinstance(index, Index) and index.unique,
        is_sparse=isinstance(index, (Index, HashedIndex)) and index.sparse,
        filter=partial_filter(binding, index),
        collation=_rules(own) if own else None if is_text else _inherited(binding.spec),
        expire_after_seconds=_seconds(index),
        is_hidden=index.hidden,
        weights=_weights(binding, index) if isinstance(index, TextIndex) else (),
        language=index.language if isinstance(index, TextIndex) else None,
        projection=_projection(binding, index) if isinstance(index, WildcardIndex) else (),
    )


def listed(owner: PartOwner) -> Iterator[Listed]:
    """The indexes that a collection lists; indexes without a name have the server's default name."""

    def name(part: Any) -> str:
        if isinstance(owner, Binding) and isinstance(part, AnyIndex):
            return part.name or default_name(_keys(owner, part))
        return ""

    return parts(owner, name)


def default_name(keys: Key) -> str:
    """The server's default name of an index."""
    return "_".join(f"{path}_{direction}" for path, direction in keys)


def _keys(binding: Binding[AnyCollection], index: AnyIndex) -> Key:
    match index:
        case Index():
            return tuple(_ordered(binding, name) for name in names(index.keys))
        case TextIndex():
            fields = dict.fromkeys((*names(index.fields), *index.weights))
            return tuple((stored(binding, name), "text") for name in fields)
        case GeoIndex():
            return ((stored(binding, index.on), "2dsphere"),)
        case HashedIndex():
            before, after = ([_ordered(binding, name) for name in names(part)] for part in (index.before, index.after))
            return (*before, (stored(binding, index.on), "hashed"), *after)
        case WildcardIndex():
            path = "$**" if index.on == WHOLE else f"{stored(binding, index.on)}.$**"
            return (*(_ordered(binding, name) for name in names(index.before)), (path, 1))


def _ordered(binding: Binding[AnyCollection], name: str) -> tuple[str, Direction]:
    return stored(binding, name.removeprefix("-")), -1 if name.startswith("-") else 1


def _weights(binding: Binding[AnyCollection], index: TextIndex) -> tuple[tuple[str, int], ...]:
    weights = {stored(binding, name): 1 for name in names(index.fields)}
    weights |= {stored(binding, name): weight for name, weight in index.weights.items()}
    return tuple(sorted(weights.items()))


def _projection(binding: Binding[AnyCollection], index: WildcardIndex) -> Projection:
    sides = ((1, names(index.only)), (0, names(index.without)))
    return normal((stored(binding, name), flag) for flag, side in sides for name in side)


def _rules(rules: Collation) -> Json:
    return collation({"locale": rules.locale, "strength": rules.strength})


def _seconds(index: AnyIndex) -> int | None:
    return (
        int(index.expire_after.total_seconds()) if isinstance(index, Index) and index.expire_after is not None else None
    )


def _inherited(spec: AnyCollection) -> Json:
    """The collection's own collation, which indexes without a collation inherit."""
    rules = spec.settings.get("collation") if isinstance(spec, Collection) else None
    return collation(dict(rules)) if isinstance(rules, dict) else None
