"""Settings of existing DynamoDB tables in the stack file of a new project."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.projects import imported_alone

from keywright.api.adopt.sources import from_files
from keywright.cli.main import run
from keywright.compiler import compile, load
from keywright.engines.contract.adoption import Adoption
from keywright.engines.dynamodb.schema.codec import describe
from keywright.engines.dynamodb.schema.target import KeyPart, Placement, TableTarget
from keywright.engines.registry import part_of
from keywright.project.environments.environment import Environment

ADOPTION = part_of("dynamodb", "adoption", "ADOPTION", Adoption)
KEY = "arn:aws:kms:eu-west-1:111122223333:key/one"
STREAM = "arn:aws:kinesis:eu-west-1:111122223333:stream/changes"
TABLE: dict[str, Any] = {
    "TableName": "orders",
    "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
}

SETTINGS: dict[str, Any] = {
    "billing": "provisioned", "capacity": {"read": 5, "write": 2}, "table-class": "standard-infrequent-access",
    "point-in-time-recovery": False, "protect": False, "encryption": KEY,
}  # fmt: skip

CREATED = {
    "BillingMode": "PROVISIONED", "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 2},
    "TableClass": "STANDARD_INFREQUENT_ACCESS", "DeletionProtectionEnabled": False,
    "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": False},
}  # fmt: skip

FILES: dict[str, tuple[Any, dict[str, Any]]] = {
    "a template": (
        {
            "Resources": {
                "Orders": {
                    "Type": "AWS::DynamoDB::Table",
                    "Properties": {
                        **TABLE, **CREATED, "SSESpecification": {"SSEEnabled": True, "KMSMasterKeyId": KEY},
                        "KinesisStreamSpecification": {"StreamArn": STREAM},
                    },
                }
            }
        },
        {**SETTINGS, "kinesis-stream": STREAM},
    ),
    "a request": ({**TABLE, **CREATED, "SSESpecification": {"Enabled": True, "KMSMasterKeyId": KEY}}, SETTINGS),
    "a key of the account": ({**TABLE, "SSESpecification": {"Enabled": True}}, {"encryption": "aws-managed"}),
    "a key that a template computes": (
        {**TABLE, "SSESpecification": {"Enabled": True, "KMSMasterKeyId": {"Ref": "Key"}}}, {}
    ),
    "a table on demand": (
        {**TABLE, "BillingModeSummary": {"BillingMode": "PAY_PER_REQUEST"},
         "ProvisionedThroughput": {"ReadCapacityUnits": 0, "WriteCapacityUnits": 0}}, {}
    ),
    "a state of Terraform": (
        {
            "terraform_version": "1.9.0",
            "resources": [
                {
                    "type": "aws_dynamodb_table",
                    "instances": [
                        {
                            "attributes": {
                                "name": "orders", "hash_key": "id", "attribute": [{"name": "id", "type": "S"}],
                                "billing_mode": "PROVISIONED", "read_capacity": 5, "write_capacity": 2,
                                "table_class": "STANDARD_INFREQUENT_ACCESS", "deletion_protection_enabled": False,
                                "point_in_time_recovery": [{"enabled": False}],
                                "server_side_encryption": [{"enabled": True, "kms_key_arn": KEY}],
                            }
                        }
                    ],
                }
            ],
        },
        SETTINGS,
    ),
    "a state of Pulumi": (
        {
            "deployment": {
                "manifest": {},
                "resources": [
                    {
                        "type": "aws:dynamodb/table:Table",
                        "inputs": {
                            "name": "orders", "hashKey": "id", "attributes": [{"name": "id", "type": "S"}],
                            "billingMode": "PROVISIONED", "readCapacity": 5, "writeCapacity": 2,
                            "tableClass": "STANDARD_INFREQUENT_ACCESS", "deletionProtectionEnabled": False,
                            "pointInTimeRecovery": {"enabled": False},
                            "serverSideEncryption": {"enabled": True, "kmsKeyArn": KEY},
                        },
                    }
                ],
            }
        },
        SETTINGS,
    ),
}  # fmt: skip


@pytest.mark.parametrize("title", FILES)
def test_a_file_says_the_settings_of_its_tables(title: str) -> None:
    document, settings = FILES[title]
    (target,) = from_files({"schema.json": json.dumps(document)}, Environment("dev")).targets
    assert target.settings == {"flavour": "dynamodb", **({"tables": {"orders": settings}} if settings else {})}


def test_a_live_table_says_the_settings_that_are_no_defaults() -> None:
    table = TableTarget("orders", 1, (KeyPart("id", "S", "HASH"),))

    def settings(placement: Placement) -> Any:
        live = describe(TableTarget("orders", 1, table.keys, placement=placement))
        return ADOPTION.settings("aws:eu-west-1", "", live).get("tables")

    usual = Placement("PAY_PER_REQUEST", table_class="STANDARD", has_recovery=True, is_protected=True, encryption=KEY)
    assert settings(usual) is None
    other = Placement("PROVISIONED", (5, 2), table_class="STANDARD_INFREQUENT_ACCESS", has_recovery=False)
    assert settings(other) == {"orders": {name: value for name, value in SETTINGS.items() if name != "encryption"}}


def test_the_stack_file_of_a_new_project_gives_each_table_its_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    template, _ = FILES["a template"]
    resources = template["Resources"]
    items = {**TABLE, "TableName": "items", "DeletionProtectionEnabled": False}
    resources["Items"] = {"Type": "AWS::DynamoDB::Table", "Properties": items}
    (tmp_path / "template.json").write_text(json.dumps(template), encoding="utf-8")
    with imported_alone(tmp_path):
        assert run(["adopt", "template.json", "--into", "models"]) == 0
        placed = {target.declared.name: target.placed for target in compile(load(str(tmp_path)), "dev").targets}
    orders, items_placed = (placed[name].placement for name in ("orders", "items"))
    assert (orders.billing, orders.capacity, orders.table_class) == (
        "PROVISIONED",
        (5, 2),
        "STANDARD_INFREQUENT_ACCESS",
    )
    assert (orders.encryption, orders.kinesis_stream, orders.has_recovery, orders.is_protected) == (
        KEY, STREAM, False, False
    )  # fmt: skip
    assert (items_placed.billing, items_placed.has_recovery, items_placed.is_protected) == (
        "PAY_PER_REQUEST", True, False
    )  # fmt: skip
