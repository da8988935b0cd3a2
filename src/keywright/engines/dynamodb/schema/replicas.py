"""Tables in several regions: checks of their settings in a stack file, and inputs of the table's resource.

Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GlobalTables.html, 2026-11-22.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from keywright.engines.interface import Rejection
from keywright.ir.json import Json
from keywright.ir.text import counted
from keywright.record import asdict, replace

from ..declare.settings import Replica, TableSettings
from .capabilities import STRONG_REGIONS
from .target import Replication, TableTarget

STREAM = "NEW_AND_OLD_IMAGES"
"""View type of the stream that carries changes to replicas."""


def settled(settings: TableSettings) -> Replication | None:
    """Other regions of a table, with the settings of each; None if there is none."""
    if not settings.replicas:
        return None
    replicas = (
        _settled(replica, settings) for replica in sorted(settings.replicas, key=lambda replica: replica.region)
    )
    return Replication(tuple(replicas), "STRONG" if settings.consistency == "strong" else "EVENTUAL", settings.witness)


def _settled(replica: Replica, settings: TableSettings) -> Replica:
    recovery = (
        settings.point_in_time_recovery if replica.point_in_time_recovery is None else replica.point_in_time_recovery
    )
    protect = settings.protect if replica.protect is None else replica.protect
    return replace(replica, point_in_time_recovery=bool(recovery), protect=bool(protect))


_REPLICAS = ("replicas",)


def refuse(table: TableTarget, settings: TableSettings, declared: str) -> Iterator[Rejection]:
    """Rejections of the other regions of a placed table."""
    replication = settled(settings)
    if replication is None:
        return
    subject = f'table "{declared}" has replicas'
    regions = [replica.region for replica in replication.replicas] + [
        region for region in (replication.witness,) if region
    ]
    for region in sorted({region for region in regions if regions.count(region) > 1}):
        yield Rejection(
            "E0402", f'{subject}, with "{region}" twice', "name each region once", declared, setting=_REPLICAS
        )
    if settings.billing == "provisioned" and settings.autoscaling is None:
        problem = f"{subject} and provisioned capacity without autoscaling"
        yield Rejection(
            "E0405", problem, "add autoscaling, or write billing: on-demand", declared, setting=("billing",)
        )
    if settings.encryption not in ("aws-owned", "aws-managed"):
        for replica in replication.replicas:
            if replica.encryption is None:
                problem = (
                    f'{subject}, and that in "{replica.region}" would have no customer-managed key as the table has'
                )
                yield Rejection(
                    "E0405",
                    problem,
                    "set its encryption: to the ARN of a key in that region",
                    declared,
                    setting=_REPLICAS,
                )
    if replication.needs_stream:
        yield from _refuse_eventual(table, replication, subject, declared)
    else:
        yield from _refuse_strong(table, regions, subject, declared)


def _refuse_eventual(table: TableTarget, replication: Replication, subject: str, declared: str) -> Iterator[Rejection]:
    if table.stream not in (None, STREAM):
        problem = f"{subject}, which need a stream of new and old images, and declares one of {table.stream}"
        yield Rejection(
            "E0402",
            problem,
            'declare images="new_and_old"; it contains the contents of the others',
            declared,
            setting=_REPLICAS,
        )
    if replication.witness:
        problem = f"{subject} and a witness, which only strong consistency has"
        yield Rejection(
            "E0402", problem, "remove witness, or write consistency: strong", declared, setting=("witness",)
        )


def _refuse_strong(table: TableTarget, regions: list[str], subject: str, declared: str) -> Iterator[Rejection]:
    count, allowed = len(regions) + 1, STRONG_REGIONS.value
    if count != allowed:
        problem = (
            f"{subject} with strong consistency in {counted(count, 'region')}, including its own; DynamoDB "
            f"supports it in {allowed}"
        )
        yield Rejection("E0402", problem, "name two replicas, or one and a witness", declared, setting=_REPLICAS)
    for feature, has_it in (("items that expire", table.ttl), ("local indexes", table.local_indexes)):
        if has_it:
            problem = f"{subject} with strong consistency, with which DynamoDB has no {feature}"
            yield Rejection("E0402", problem, "write consistency: eventual", declared, setting=("consistency",))


def describe(replication: Replication) -> Json:
    """Replication as plain data."""
    description = asdict(replication)
    return {**description, "replicas": list(description["replicas"])}


def parse(description: Mapping[str, Any]) -> Replication:
    """The inverse of `describe`."""
    return Replication(
        tuple(Replica(**replica) for replica in description["replicas"]),
        description["consistency"],
        description["witness"],
    )


def to_inputs(replication: Replication) -> dict[str, Json]:
    """Inputs of a table's resource for its other regions; tags are propagated."""
    replicas: list[Json] = []
    for replica in replication.replicas:
        key: dict[str, Json] = {"kmsKeyArn": replica.encryption} if replica.encryption else {}
        replicas.append(
            {
                "regionName": replica.region,
                "consistencyMode": replication.consistency,
                "pointInTimeRecovery": replica.point_in_time_recovery,
                "deletionProtectionEnabled": replica.protect,
                "propagateTags": True,
                **key,
            }
        )
    witness: dict[str, Json] = {"globalTableWitness": {"regionName": replication.witness}}
    return {"replicas": replicas, **(witness if replication.witness else {})}


def from_inputs(inputs: Mapping[str, Any]) -> Replication | None:
    """The inverse of `to_inputs`; None if there is no other region."""
    replica_inputs = sorted(inputs.get("replicas") or (), key=lambda replica: str(replica["regionName"]))
    if not replica_inputs:
        return None
    replicas = (
        Replica(
            region=replica["regionName"],
            point_in_time_recovery=bool(replica.get("pointInTimeRecovery")),
            protect=bool(replica.get("deletionProtectionEnabled")),
            encryption=replica.get("kmsKeyArn"),
        )
        for replica in replica_inputs
    )
    witness = (inputs.get("globalTableWitness") or {}).get("regionName")
    return Replication(tuple(replicas), replica_inputs[0].get("consistencyMode") or "EVENTUAL", witness)
