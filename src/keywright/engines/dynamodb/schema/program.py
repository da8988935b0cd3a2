"""Placed tables from the tables of a Pulumi program."""

from collections.abc import Sequence

from keywright.engines.environment import EngineEnvironment
from keywright.engines.findings.program.resource import ProgramResource
from keywright.engines.findings.program.target import ProgramTarget, ProgramTargets, readable
from keywright.record import replace

from ..declare.settings import Autoscaling, DynamoEnvironment, Scaled
from . import scaling
from .resources import TABLE, from_resource


def _table(
    resource: ProgramResource, related: Sequence[ProgramResource], environment: EngineEnvironment | None
) -> ProgramTarget:
    """A table with its autoscaling."""
    table = from_resource({"name": resource.name, **readable(resource.inputs)})
    placement = table.placement
    assert placement is not None, "a target from inputs is placed"
    placed = replace(table, placement=replace(placement, scaling=_scaling(resource, related)))
    return placed, environment or DynamoEnvironment(flavour="dynamodb")


def _scaling(table: ProgramResource, all: Sequence[ProgramResource]) -> Autoscaling | None:
    """The autoscaling of a table; None unless both sides of its capacity scale."""
    sides: dict[str, Scaled] = {}
    for program_resource in all:
        if program_resource.type == scaling.TARGET and program_resource.points_at(
            "resourceId", table, "name", "table/{}"
        ):
            side = "read" if ":Read" in str(program_resource.value("scalableDimension")) else "write"
            sides[side] = Scaled(min=program_resource.value("minCapacity"), max=program_resource.value("maxCapacity"))
    return Autoscaling(read=sides["read"], write=sides["write"]) if len(sides) == 2 else None


TARGETS = ProgramTargets(alone={TABLE: _table})
"""Each table is a complete target."""
