"""Keys of calls: the partitions of a call, and the range of its sort key."""

import itertools
import random
from collections.abc import Callable

from keywright.access.fill import Filled, Slot
from keywright.engines.dynamodb.access.calls import Filling, ItemKey, QueryItems
from keywright.engines.dynamodb.declare.options import Item
from keywright.engines.dynamodb.schema.capabilities import PARTITION_VALUE_BYTES, SORT_VALUE_BYTES
from keywright.ir.binding import Binding
from keywright.record import replace
from keywright.runtime.items import text as forms
from keywright.runtime.validate.arguments import Arguments

from .natives import ToNative, writer_of
from .sizes import check_key
from .spans import Key, KeyRange, spans_of, values_of


def keys_of(binding: Binding[Item], place: ItemKey) -> Callable[[Arguments], list[Key]]:
    """Function from a call to its keys, without the number of a read copy; for a drawn shard, all shards."""
    parts = [_natives(binding, _all_shards(filling)) for filling in place.key]
    names = [filling.attribute for filling in place.key]
    max_bytes = dict(zip(names, (PARTITION_VALUE_BYTES.value, SORT_VALUE_BYTES.value), strict=False))

    def keys_of_call(arguments: Arguments) -> list[Key]:
        values = [[native for native, _ in part(arguments)] for part in parts]
        keys = [dict(zip(names, combination, strict=True)) for combination in itertools.product(*values)]
        for key in keys:
            for name, native in key.items():
                check_key(name, native, max_bytes[name])
        # Several values may have one text, with ":lower" or ":shard".
        return list({identity(key): key for key in keys}.values())

    return keys_of_call


def identity(key: Key, ends: tuple[ToNative, ...] = ()) -> str:
    """Text that identifies a key."""
    return "|".join(f"{kind}{value}" for native in (*key.values(), *ends) for kind, value in native.items())


def copy_of(place: ItemKey, key: Key, number: int | None = None) -> Key:
    """Key of one read copy, by default of a random one."""
    if place.copies == 1:
        return key
    return with_copy(key, place.key[0].attribute, random.randrange(place.copies) if number is None else number)


def with_copy(key: Key, attribute: str, number: int) -> Key:
    """Key with the number of a read copy after its partition key."""
    return {**key, attribute: {"S": f"{key[attribute]['S']}#{number}"}}


def key_ranges_of(binding: Binding[Item], query: QueryItems) -> Callable[[Arguments], list[KeyRange]]:
    """Function from a call to the key ranges of its query, in reading order."""
    fillings = (*query.key, *query.equal)
    parts = [_natives(binding, filling, query.walked, is_backward=query.is_backward) for filling in fillings]
    names = [filling.attribute for filling in fillings]
    spans = spans_of(binding, query.span) if query.span is not None else None
    partition_attribute = query.key[0].attribute

    def ranges_of_call(arguments: Arguments) -> list[KeyRange]:
        key_ranges: dict[str, KeyRange] = {}
        ranges = spans(arguments) if spans is not None else [KeyRange()]
        for combination in itertools.product(*(part(arguments) for part in parts)):
            key = dict(zip(names, (native for native, _ in combination), strict=True))
            for name, native in key.items():
                check_key(name, native, PARTITION_VALUE_BYTES.value)
            group = next((group for _, group in combination if group), "")
            ids = [identity(key, key_range.ends[:1] if key_range.skip else ()) for key_range in ranges]
            if query.copies > 1:
                key = with_copy(key, partition_attribute, random.randrange(query.copies))
            for id, key_range in zip(ids, ranges, strict=True):
                key_ranges.setdefault(id, replace(key_range, key=key, group=group, id=id))
        return list(key_ranges.values())

    return ranges_of_call


def _all_shards(filling: Filling) -> Filling:
    """Filling with all shards instead of a drawn one."""
    slots = tuple(
        Slot(slot.placeholder, "shards", count=slot.placeholder.shards) if slot.kind == "draw" else slot
        for slot in filling.filled.slots
    )
    return replace(filling, filled=Filled(filling.filled.template, slots))


def _natives(
    binding: Binding[Item], filling: Filling, walked: str = "", *, is_backward: bool = False
) -> Callable[[Arguments], list[tuple[ToNative, str]]]:
    """Function from a call to the values of a key attribute, each with its time bucket."""
    filled = filling.filled
    values = values_of(filled, is_backward=is_backward)
    lone = filled.template.lone
    if lone is not None:
        write = writer_of(binding, lone.path, filling.native)
        return lambda arguments: [(write(value), "") for (value,) in values(arguments)]
    bucket = next(
        (position for position, slot in enumerate(filled.slots) if walked and slot.kind in ("buckets", "recent")), None
    )
    parts = filled.template.parts

    def values_of_call(arguments: Arguments) -> list[tuple[ToNative, str]]:
        natives = []
        for placeholder_values in values(arguments):
            texts = [forms.text(value) for value in placeholder_values]
            remaining = iter(texts)
            text = "".join(part if isinstance(part, str) else next(remaining) for part in parts)
            natives.append(({"S": text}, texts[bucket] if bucket is not None else ""))
        return natives

    return values_of_call
