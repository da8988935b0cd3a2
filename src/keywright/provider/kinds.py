"""What the provider does with a resource, by its type."""

from collections.abc import Callable
from dataclasses import dataclass

from keywright.api import resources, runs
from keywright.api.resources import Watcher
from keywright.api.standing import Standing
from keywright.engines.resource import Inputs


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One way of being a resource; all take its type."""

    id: Callable[[str, Inputs], str]
    """Where it is."""
    wrong: Callable[[str, Inputs | None, Inputs], list[tuple[str, str]]]
    """(property, why not) of what a program says now, after what it said before."""
    read: Callable[[Standing, str, str, Inputs | None], Inputs | None]
    """(stores, type, id, what the program said): what is there, told as a program would."""
    settle: Callable[[Standing, str, Inputs | None, Inputs, Watcher], None]
    """Bring it from what was said to what is said now."""
    remove: Callable[[Standing, str, Inputs, Watcher], str]
    """Drop it; says why something was left."""
    has_parts: bool
    """Whether a part of it may be there after a failure, as `read` tells."""


STORED = Kind(
    id=lambda type, inputs: resources.normal(type, inputs).id,
    wrong=resources.wrong,
    read=resources.read,
    settle=resources.settle,
    remove=resources.remove,
    has_parts=True,
)
"""What a store holds: a collection, a keyspace, a table, the settings of a server."""

RUN = Kind(
    id=lambda type, inputs: str(inputs["store"]),
    wrong=lambda type, old, new: runs.wrong(old, new),
    read=lambda standing, type, id, inputs: inputs,
    settle=lambda standing, type, old, new, watcher: runs.settle(standing, old, new, watcher),
    remove=lambda standing, type, inputs, watcher: "",
    has_parts=False,
)
"""What stored items are like."""


def kind_of(type: str) -> Kind:
    """The kind of a type; one that is not known is refused by what a store would say of it."""
    return RUN if type == runs.RUN else STORED
