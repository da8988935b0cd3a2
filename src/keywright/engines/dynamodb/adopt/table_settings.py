"""Settings of existing tables that the stack file has no default for: billing, class, key, protection, Kinesis."""

from collections.abc import Mapping
from typing import Any

from keywright.ir.json import Json

from ..schema.target import Placement


def settings_of(placement: Placement) -> dict[str, Json]:
    """The settings of a live table under its name in a stack file, without those that are the defaults.

    The service reports the account's key and a customer's key alike, so that no key is among them.
    """
    settings: dict[str, Json] = {}
    if placement.billing == "PROVISIONED" and placement.capacity:
        settings |= {"billing": "provisioned", "capacity": _units(placement.capacity)}
    if placement.limits:
        settings["on-demand-limits"] = _units(placement.limits)
    if placement.table_class == "STANDARD_INFREQUENT_ACCESS":
        settings["table-class"] = "standard-infrequent-access"
    if placement.has_recovery is False:
        settings["point-in-time-recovery"] = False
    if not placement.is_protected:
        settings["protect"] = False
    return settings


def defined_settings(definition: Mapping[str, Any]) -> dict[str, Json]:
    """The same of a table in a file, in the form of CreateTable; what the file does not say is left out."""
    billing = definition.get("BillingMode") or _part(definition, "BillingModeSummary").get("BillingMode")
    units, limits = _part(definition, "ProvisionedThroughput"), _part(definition, "OnDemandThroughput")
    table_class = definition.get("TableClass") or _part(definition, "TableClassSummary").get("TableClass")
    recovery = _part(definition, "PointInTimeRecoverySpecification").get("PointInTimeRecoveryEnabled")
    kinesis = _part(definition, "KinesisStreamSpecification").get("StreamArn")
    settings: dict[str, Json] = {}
    capacity = _pair(units.get("ReadCapacityUnits"), units.get("WriteCapacityUnits"))
    if billing == "PROVISIONED" and capacity:
        settings |= {"billing": "provisioned", "capacity": _units(capacity)}
    if most := _pair(limits.get("MaxReadRequestUnits"), limits.get("MaxWriteRequestUnits")):
        settings["on-demand-limits"] = _units(most)
    if table_class == "STANDARD_INFREQUENT_ACCESS":
        settings["table-class"] = "standard-infrequent-access"
    if recovery is False:
        settings["point-in-time-recovery"] = False
    if definition.get("DeletionProtectionEnabled") is False:
        settings["protect"] = False
    if key := _key(_part(definition, "SSESpecification")):
        settings["encryption"] = key
    if isinstance(kinesis, str) and kinesis.startswith("arn:"):
        settings["kinesis-stream"] = kinesis
    return settings


def _part(definition: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    part = definition.get(name)
    return part if isinstance(part, Mapping) else {}


def _key(encryption: Mapping[str, Any]) -> str | None:
    """Owner of the key; None for the service's own, and for a key whose ARN the file does not contain."""
    if not (encryption.get("Enabled") or encryption.get("SSEEnabled")):
        return None
    key = encryption.get("KMSMasterKeyId")
    if not key:
        return "aws-managed"
    return key if isinstance(key, str) and key.startswith("arn:") else None


def _pair(read: Any, write: Any) -> tuple[int, int] | None:
    """Units of reads and writes that are numbers, and not those of billing on demand, which are 0."""
    numbers = [int(units) for units in (read, write) if isinstance(units, (int, float, str)) and str(units).isdigit()]
    return (numbers[0], numbers[1]) if len(numbers) == 2 and all(numbers) else None


def _units(pair: tuple[int, int]) -> Json:
    return {"read": pair[0], "write": pair[1]}
