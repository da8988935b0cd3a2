"""A box as the compiler handles it, and its description."""

from typing import Any

from keywright.engines.contract import shape
from keywright.engines.contract.shape import EntityShape
from keywright.engines.interface import Description
from keywright.record import Record


class BoxTarget(Record):
    """One box."""

    name: str
    """Declared name; the physical name of a placed box."""
    generation: int = 1
    """Number of the generation, which rises when the key changes."""
    capacity: int | None = None
    """Largest number of items."""
    shape: tuple[EntityShape, ...] = ()
    """The model in it; empty for a live box."""

    @property
    def settings(self) -> dict[str, Any]:
        """Settings by name, as a live box has them."""
        return {} if self.capacity is None else {"capacity": self.capacity}


def describe(box: BoxTarget) -> Description:
    """See `Engine.describe`."""
    native: Any = {"settings": box.settings}
    return {"name": box.name, "generation": box.generation, "native": native, "shape": shape.describe(box.shape)}


def parse(description: Description) -> BoxTarget:
    """See `Engine.parse`."""
    output: Any = description
    capacity = output["native"]["settings"].get("capacity")
    return BoxTarget(output["name"], output["generation"], capacity, shape.parse(output.get("shape", {})))
