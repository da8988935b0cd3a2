"""Keys of calls: every partition that a call asks, and what is read of its sort key."""

import itertools
import random
from collections.abc import Callable
from dataclasses import replace

from keywright.access.fill import Filled, Slot
from keywright.engines.dynamodb.access.calls import Filling, Place, Query
from keywright.ir.binding import Binding
from keywright.runtime import text as forms
from keywright.runtime.given import Given

from .natives import Native, writer_of
from .spans import Key, Spot, spans_of, values_of


def keys_of(binding: Binding, place: Place) -> Callable[[Given], list[Key]]:
    """A function from a call to the keys that it means, without what tells read copies apart; of a drawn shard, all."""
    parts = [_natives(binding, _all_shards(one)) for one in place.key]
    names = [one.attribute for one in place.key]

    def made(given: Given) -> list[Key]:
        values = [[native for native, _ in part(given)] for part in parts]
        keys = (dict(zip(names, combination, strict=True)) for combination in itertools.product(*values))
        return list({_text(key): key for key in keys}.values())  # values may share a text: ":lower", ":shard"

    return made


def _text(key: Key, ends: tuple[Native, ...] = ()) -> str:
    """What tells keys apart."""
    return "|".join(f"{kind}{value}" for native in (*key.values(), *ends) for kind, value in native.items())


def copy_of(place: Place, key: Key, number: int | None = None) -> Key:
    """The key of one read copy, by default of one at random."""
    if place.copies == 1:
        return key
    return with_copy(key, place.key[0].attribute, random.randrange(place.copies) if number is None else number)


def with_copy(key: Key, attribute: str, number: int) -> Key:
    """A key with the number of a read copy behind its partition key."""
    return {**key, attribute: {"S": f"{key[attribute]['S']}#{number}"}}


def spots_of(binding: Binding, query: Query) -> Callable[[Given], list[Spot]]:
    """A function from a call to everything that its query asks, in the order in which it is asked."""
    fillings = (*query.key, *query.equal)
    parts = [_natives(binding, one, query.walked, is_backward=query.is_backward) for one in fillings]
    names = [one.attribute for one in fillings]
    spans = spans_of(binding, query.span) if query.span is not None else None
    first = query.key[0].attribute

    def made(given: Given) -> list[Spot]:
        found: dict[str, Spot] = {}
        ranges = spans(given) if spans is not None else [Spot()]
        for combination in itertools.product(*(part(given) for part in parts)):
            key = dict(zip(names, (native for native, _ in combination), strict=True))
            group = next((group for _, group in combination if group), "")
            ids = [_text(key, one.ends[:1] if one.skip else ()) for one in ranges]
            if query.copies > 1:
                key = with_copy(key, first, random.randrange(query.copies))
            for id, one in zip(ids, ranges, strict=True):
                found.setdefault(id, replace(one, key=key, group=group, id=id))
        return list(found.values())

    return made


def _all_shards(filling: Filling) -> Filling:
    """A filling whose drawn shards are all of them."""
    slots = tuple(
        Slot(slot.placeholder, "shards", count=slot.placeholder.shards) if slot.kind == "draw" else slot
        for slot in filling.filled.slots
    )
    return replace(filling, filled=Filled(filling.filled.template, slots))


def _natives(
    binding: Binding, filling: Filling, walked: str = "", *, is_backward: bool = False
) -> Callable[[Given], list[tuple[Native, str]]]:
    """A function from a call to the values of a key attribute, each with its bucket of time."""
    filled = filling.filled
    values = values_of(filled, is_backward=is_backward)
    lone = filled.template.lone
    if lone is not None:
        write = writer_of(binding, lone.path, filling.native)
        return lambda given: [(write(value), "") for (value,) in values(given)]
    bucket = next((at for at, slot in enumerate(filled.slots) if walked and slot.kind in ("buckets", "recent")), None)
    parts = filled.template.parts

    def made(given: Given) -> list[tuple[Native, str]]:
        found = []
        for words in values(given):
            texts = [forms.text(word) for word in words]
            rest = iter(texts)
            text = "".join(part if isinstance(part, str) else next(rest) for part in parts)
            found.append(({"S": text}, texts[bucket] if bucket is not None else ""))
        return found

    return made
