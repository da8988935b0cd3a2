"""Tables of Terraform and Pulumi states, in the form of CreateTable."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_TERRAFORM = "aws_dynamodb_table"
_PULUMI = "aws:dynamodb/table:Table"


def tables_in_state(document: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The tables in `terraform.tfstate`, in the output of `terraform show -json`, or of `pulumi stack export`."""
    match document:
        case {"terraform_version": str(), "resources": [*resources]}:
            for resource in resources:
                if isinstance(resource, dict) and resource.get("type") == _TERRAFORM and resource.get("mode") != "data":
                    yield from (_terraform(instance["attributes"]) for instance in resource.get("instances") or ())
        case {"terraform_version": str(), "values": {"root_module": dict() as module}}:
            yield from _of_module(module)
        case {"deployment": {"resources": [*resources]}}:
            for resource in resources:
                if isinstance(resource, dict) and resource.get("type") == _PULUMI:
                    yield _pulumi({**resource.get("inputs", {}), **(resource.get("outputs") or {})})
        case _:
            pass


def is_state(document: Any) -> bool:
    """Whether a document is a state of Terraform or Pulumi, which may contain no table."""
    match document:
        case {"terraform_version": str(), "resources": [*_]} | {"terraform_version": str(), "values": dict()}:
            return True
        case {"deployment": {"manifest": dict()}}:
            return True
        case _:
            return False


def _of_module(module: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for resource in module.get("resources") or ():
        if resource.get("type") == _TERRAFORM and resource.get("mode") != "data":
            yield _terraform(resource["values"])
    for child in module.get("child_modules") or ():
        yield from _of_module(child)


def _terraform(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """The attributes of an `aws_dynamodb_table`, whose blocks are lists."""
    ttl: Mapping[str, Any] = next(iter(attributes.get("ttl") or ()), {})
    return _create_table(
        attributes,
        types={part["name"]: part["type"] for part in attributes.get("attribute") or ()},
        keys=("hash_key", "range_key", "key_schema", "attribute_name", "key_type"),
        projection=("projection_type", "non_key_attributes"),
        indexes=("global_secondary_index", "local_secondary_index"),
        ttl=ttl.get("attribute_name") if ttl.get("enabled") else None,
        stream=attributes.get("stream_view_type") if attributes.get("stream_enabled") else None,
        settings=_settings(
            attributes,
            ("billing_mode", "read_capacity", "write_capacity", "table_class", "deletion_protection_enabled"),
            recovery=next(iter(attributes.get("point_in_time_recovery") or ()), {}),
            encryption=next(iter(attributes.get("server_side_encryption") or ()), {}),
            key="kms_key_arn",
        ),
    )


def _pulumi(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """The properties of an `aws:dynamodb/table:Table`."""
    ttl = inputs.get("ttl") or {}
    return _create_table(
        inputs,
        types={part["name"]: part["type"] for part in inputs.get("attributes") or ()},
        keys=("hashKey", "rangeKey", "keySchemas", "attributeName", "keyType"),
        projection=("projectionType", "nonKeyAttributes"),
        indexes=("globalSecondaryIndexes", "localSecondaryIndexes"),
        ttl=ttl.get("attributeName") if ttl.get("enabled") else None,
        stream=inputs.get("streamViewType") if inputs.get("streamEnabled") else None,
        settings=_settings(
            inputs,
            ("billingMode", "readCapacity", "writeCapacity", "tableClass", "deletionProtectionEnabled"),
            recovery=inputs.get("pointInTimeRecovery") or {},
            encryption=inputs.get("serverSideEncryption") or {},
            key="kmsKeyArn",
        ),
    )


def _settings(
    table: Mapping[str, Any],
    names: Sequence[str],
    *,
    recovery: Mapping[str, Any],
    encryption: Mapping[str, Any],
    key: str,
) -> dict[str, Any]:
    """Billing, class, protection, recovery and key of a table."""
    billing, read, write, table_class, protection = (table.get(name) for name in names)
    return {
        "BillingMode": billing,
        "ProvisionedThroughput": {"ReadCapacityUnits": read, "WriteCapacityUnits": write},
        "TableClass": table_class,
        "DeletionProtectionEnabled": protection,
        "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": recovery.get("enabled")},
        "SSESpecification": {"Enabled": encryption.get("enabled"), "KMSMasterKeyId": encryption.get(key)},
    }


def _create_table(
    table: Mapping[str, Any],
    *,
    types: Mapping[str, str],
    keys: Sequence[str],
    projection: Sequence[str],
    indexes: Sequence[str],
    ttl: str | None,
    stream: str | None,
    settings: Mapping[str, Any],
) -> dict[str, Any]:
    hash_key, range_key, parts, attribute, role = keys

    def schema(owner: Mapping[str, Any], first: str | None = None) -> list[dict[str, Any]]:
        if owner.get(parts):
            return [{"AttributeName": part[attribute], "KeyType": part[role]} for part in owner[parts]]
        named = ((first or owner.get(hash_key), "HASH"), (owner.get(range_key), "RANGE"))
        return [{"AttributeName": name, "KeyType": kind} for name, kind in named if name]

    def described(index: Mapping[str, Any], first: str | None = None) -> dict[str, Any]:
        kind, included = (index.get(name) for name in projection)
        included_names = {"NonKeyAttributes": list(included)} if included else {}
        return {
            "IndexName": index["name"],
            "KeySchema": schema(index, first),
            "Projection": {"ProjectionType": kind or "ALL", **included_names},
        }

    return {
        "TableName": table["name"],
        "AttributeDefinitions": [{"AttributeName": name, "AttributeType": kind} for name, kind in types.items()],
        "KeySchema": schema(table),
        "GlobalSecondaryIndexes": [described(index) for index in table.get(indexes[0]) or ()],
        "LocalSecondaryIndexes": [described(index, table[hash_key]) for index in table.get(indexes[1]) or ()],
        **({"TimeToLiveSpecification": {"AttributeName": ttl, "Enabled": True}} if ttl else {}),
        **({"StreamSpecification": {"StreamViewType": stream}} if stream else {}),
        **settings,
    }
