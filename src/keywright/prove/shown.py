"""The dataset of a store that shows items of another one, such as a view."""

from typing import Any

from keywright.access.query import Condition
from keywright.ir.binding import Binding
from keywright.runtime.items.codec import Codec

from .dataset import Dataset, StoredInstance
from .values import holds, reading


def shown_by(binding: Binding, codec: Codec[Any], source: Dataset) -> Dataset:
    """The stored items of a source that meet the conditions of a store, as its own instances.

    Reads are proved before writes, so that the items are those that were loaded.
    """
    read = reading(source.binding)
    tests = [Condition(test.field, test.test, test.values) for test in binding.spec.shown]
    shown = [
        StoredInstance(codec.from_item(stored.items[0]), stored.items, stored.seed)
        for stored in source.stored
        if all(holds(stored.instance, test, test.constants or (), read) for test in tests)
    ]
    return Dataset(binding, codec, shown)
