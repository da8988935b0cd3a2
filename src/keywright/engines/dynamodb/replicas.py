"""Tables in several regions: what a stack file may say of them, and the inputs of the table's resource.

Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GlobalTables.html, 2026-11-22.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from typing import Any

from keywright.engines.interface import Refusal
from keywright.ir.json import Json

from .capabilities import STRONG_REGIONS
from .settings import Replica, TableSettings
from .target import Replication, TableTarget

STREAM = "NEW_AND_OLD_IMAGES"
"""What the stream carries by which changes travel."""


def settled(settings: TableSettings) -> Replication | None:
    """The other regions of a table, with what counts for each; None where there is none."""
    if not settings.replicas:
        return None
    replicas = (_settled(one, settings) for one in sorted(settings.replicas, key=lambda one: one.region))
    return Replication(tuple(replicas), "STRONG" if settings.consistency == "strong" else "EVENTUAL", settings.witness)


def _settled(one: Replica, settings: TableSettings) -> Replica:
    recovery = settings.point_in_time_recovery if one.point_in_time_recovery is None else one.point_in_time_recovery
    protect = settings.protect if one.protect is None else one.protect
    return replace(one, point_in_time_recovery=bool(recovery), protect=bool(protect))


def refuse(table: TableTarget, settings: TableSettings, declared: str) -> Iterator[Refusal]:
    """What is wrong with the other regions of a placed table."""
    replication = settled(settings)
    if replication is None:
        return
    about = f'table "{declared}" has replicas'
    regions = [one.region for one in replication.replicas] + [one for one in (replication.witness,) if one]
    for region in sorted({one for one in regions if regions.count(one) > 1}):
        yield Refusal("E0402", f'{about} and "{region}" twice among them', "name each region once", declared)
    if settings.billing == "provisioned" and settings.autoscaling is None:
        problem = f"{about} and provisioned capacity that does not scale"
        yield Refusal("E0405", problem, "add autoscaling, or say billing: on-demand", declared)
    if settings.encryption not in ("aws-owned", "aws-managed"):
        for one in replication.replicas:
            if one.encryption is None:
                problem = f'{about}, and that in "{one.region}" would not have a key of yours as the table has'
                yield Refusal("E0405", problem, "give it encryption: with the ARN of a key in that region", declared)
    if replication.needs_stream:
        yield from _refuse_eventual(table, replication, about, declared)
    else:
        yield from _refuse_strong(table, regions, about, declared)


def _refuse_eventual(table: TableTarget, replication: Replication, about: str, declared: str) -> Iterator[Refusal]:
    if table.stream not in (None, STREAM):
        problem = f"{about}, which need a stream of new and old images, and declares one of {table.stream}"
        yield Refusal("E0402", problem, 'declare images="new_and_old"; that has all that the others have', declared)
    if replication.witness:
        problem = f"{about} and a witness, which only strong consistency has"
        yield Refusal("E0402", problem, "leave out witness, or say consistency: strong", declared)


def _refuse_strong(table: TableTarget, regions: list[str], about: str, declared: str) -> Iterator[Refusal]:
    has, allowed = len(regions) + 1, STRONG_REGIONS.value
    if has != allowed:
        problem = f"{about} with strong consistency in {has} regions, its own among them; DynamoDB has it in {allowed}"
        yield Refusal("E0402", problem, "name two replicas, or one and a witness", declared)
    for what, has_it in (("items that expire", table.ttl), ("local indexes", table.local_indexes)):
        if has_it:
            problem = f"{about} with strong consistency, with which DynamoDB has no {what}"
            yield Refusal("E0402", problem, "say consistency: eventual", declared)


def describe(replication: Replication) -> Json:
    """As plain data."""
    told = asdict(replication)
    return {**told, "replicas": list(told["replicas"])}


def parse(told: Mapping[str, Any]) -> Replication:
    """The inverse of `describe`."""
    return Replication(tuple(Replica(**one) for one in told["replicas"]), told["consistency"], told["witness"])


def to_inputs(replication: Replication) -> dict[str, Json]:
    """What a table's resource says of its other regions; labels go with the items."""
    told: list[Json] = []
    for one in replication.replicas:
        key: dict[str, Json] = {"kmsKeyArn": one.encryption} if one.encryption else {}
        told.append(
            {
                "regionName": one.region,
                "consistencyMode": replication.consistency,
                "pointInTimeRecovery": one.point_in_time_recovery,
                "deletionProtectionEnabled": one.protect,
                "propagateTags": True,
                **key,
            }
        )
    witness: dict[str, Json] = {"globalTableWitness": {"regionName": replication.witness}}
    return {"replicas": told, **(witness if replication.witness else {})}


def from_inputs(inputs: Mapping[str, Any]) -> Replication | None:
    """The inverse of `to_inputs`; None where there is no other region."""
    told = sorted(inputs.get("replicas") or (), key=lambda one: str(one["regionName"]))
    if not told:
        return None
    replicas = (
        Replica(
            region=one["regionName"],
            point_in_time_recovery=bool(one.get("pointInTimeRecovery")),
            protect=bool(one.get("deletionProtectionEnabled")),
            encryption=one.get("kmsKeyArn"),
        )
        for one in told
    )
    witness = (inputs.get("globalTableWitness") or {}).get("regionName")
    return Replication(tuple(replicas), told[0].get("consistencyMode") or "EVENTUAL", witness)
