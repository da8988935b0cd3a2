"""What calls cost, in bytes, units and round trips; every formula with its source."""

from keywright.access.cost import ONE, Cost
from keywright.access.search import Planned

from .target import KeyspaceTarget


def cost(planned: Planned[KeyspaceTarget]) -> Cost:
    """See `Engine.cost`."""
    return Cost("units", ONE)
