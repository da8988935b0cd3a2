"""Names of resources in a component, of which a stack can have several."""

from typing import Any
from weakref import WeakSet

import pulumi
from pulumi.runtime.settings import get_root_resource

from keywright.record import Record

OWN = "dynamodb"
"""The component name of `provision`."""


class ResourceNames(Record):
    """The resource names of one component; they need a prefix, because a URN has only the types of parents."""

    prefix: str
    """The prefix that distinguishes them from those of other components; empty for `dynamodb`."""
    is_first: bool
    """Whether the component is the first of its kind in the program."""

    def __call__(self, plain: str) -> str:
        """The name of a resource with a name in the models."""
        return f"{self.prefix}{plain}"

    def former(self, plain: str) -> list[pulumi.Input[str | pulumi.Alias]] | None:
        """The name from versions with one component per stack, so that its resources are not replaced.

        Only for the first component: the engine rejects two resources with the same former name, and a new component
        must not take over the resources of an existing one.
        """
        return [pulumi.Alias(name=plain)] if self.prefix and self.is_first else None


_STACKS: WeakSet[Any] = WeakSet()
"""The stacks, by root resource, with such a component; one process can run several programs."""


def names(component: str) -> ResourceNames:
    """The names in a new component.

    They depend on its name, not on its position in the program: after a reordering, components keep their tables.
    """
    root = get_root_resource()
    is_first = root is None or root not in _STACKS
    if root is not None:
        _STACKS.add(root)
    return ResourceNames("" if component == OWN else f"{component}-", is_first)
