"""Files of other tools that describe DynamoDB tables."""

import json
from typing import Any

import pytest
from tests.adopt.laws import assert_law

from keywright.api.adopt.sources import from_files
from keywright.engines.contract.adoption import Adoption, Schema
from keywright.engines.dynamodb.declare.settings import DynamoEnvironment
from keywright.engines.dynamodb.schema.target import IndexTarget, KeyPart, TableTarget
from keywright.engines.registry import engine_named, part_of
from keywright.errors import UsageError
from keywright.project.environments.environment import Environment
from keywright.project.template_yaml import json_of_yaml

ADOPTION = part_of("dynamodb", "adoption", "ADOPTION", Adoption)
ORDERS = TableTarget(
    "orders",
    1,
    (KeyPart("user", "S", "HASH"), KeyPart("at", "N", "RANGE")),
    (
        IndexTarget("by_state", (KeyPart("state", "S", "HASH"), KeyPart("at", "N", "RANGE")), "INCLUDE", ("total",)),
        IndexTarget("by_total", (KeyPart("total", "N", "HASH"),), "KEYS_ONLY"),
    ),
    (IndexTarget("by_day", (KeyPart("user", "S", "HASH"), KeyPart("day", "S", "RANGE")), "ALL"),),
    "expires",
    "NEW_IMAGE",
)
"""The table in every file."""

YAML = """\
AWSTemplateFormatVersion: 2010-09-09
Transform: AWS::Serverless-2016-10-31
Parameters:
  Key: {Type: String, Default: user}
Conditions:
  IsProd: !Equals [!Ref Stage, prod]
Resources:
  orders:
    Type: AWS::DynamoDB::Table
    Condition: IsProd
    Properties:
      TableName: !Sub "${AWS::StackName}-orders"
      BillingMode: !If [IsProd, PAY_PER_REQUEST, PROVISIONED]
      AttributeDefinitions:
        - {AttributeName: user, AttributeType: S}
        - {AttributeName: at, AttributeType: N}
        - {AttributeName: state, AttributeType: S}
        - {AttributeName: total, AttributeType: N}
        - {AttributeName: day, AttributeType: S}
      KeySchema:
        - AttributeName: !Ref Key
          KeyType: HASH
        - AttributeName: at
          KeyType: RANGE
      GlobalSecondaryIndexes:
        - IndexName: by_state
          KeySchema: [{AttributeName: state, KeyType: HASH}, {AttributeName: at, KeyType: RANGE}]
          Projection: {ProjectionType: INCLUDE, NonKeyAttributes: [total]}
        - IndexName: by_total
          KeySchema: [{AttributeName: total, KeyType: HASH}]
          Projection: {ProjectionType: KEYS_ONLY}
      LocalSecondaryIndexes:
        - IndexName: by_day
          KeySchema: [{AttributeName: user, KeyType: HASH}, {AttributeName: day, KeyType: RANGE}]
          Projection: {ProjectionType: ALL}
      TimeToLiveSpecification: {AttributeName: expires, Enabled: true}
      StreamSpecification: {StreamViewType: NEW_IMAGE}
  Sessions:
    Type: AWS::Serverless::SimpleTable
    Properties:
      PrimaryKey: {Name: token, Type: String}
  Plain:
    Type: AWS::Serverless::SimpleTable
  Function:
    Type: AWS::Serverless::Function
    Properties:
      Role: !GetAtt Role.Arn
      Code: !Base64
        Fn::Sub: text
"""
_TERRAFORM: dict[str, Any] = {
    "name": "orders", "hash_key": "user", "range_key": "at", "stream_enabled": True, "stream_view_type": "NEW_IMAGE",
    "attribute": [{"name": name, "type": type} for name, type in
                  (("user", "S"), ("at", "N"), ("state", "S"), ("total", "N"), ("day", "S"))],
    "global_secondary_index": [
        {"name": "by_total", "hash_key": "total", "range_key": "", "projection_type": "KEYS_ONLY",
         "non_key_attributes": []},
        {"name": "by_state", "hash_key": "", "key_schema": [
            {"attribute_name": "state", "key_type": "HASH"}, {"attribute_name": "at", "key_type": "RANGE"}],
         "projection_type": "INCLUDE", "non_key_attributes": ["total"]}],
    "local_secondary_index": [
        {"name": "by_day", "range_key": "day", "projection_type": "ALL", "non_key_attributes": []}],
    "ttl": [{"attribute_name": "expires", "enabled": True, "kms_key_arn": ""}],
}  # fmt: skip
_PULUMI: dict[str, Any] = {
    "name": "orders", "hashKey": "user", "rangeKey": "at", "streamEnabled": True, "streamViewType": "NEW_IMAGE",
    "attributes": _TERRAFORM["attribute"],
    "globalSecondaryIndexes": [
        {"name": "by_total", "hashKey": "total", "projectionType": "KEYS_ONLY"},
        {"name": "by_state", "projectionType": "INCLUDE", "nonKeyAttributes": ["total"], "keySchemas": [
            {"attributeName": "state", "keyType": "HASH"}, {"attributeName": "at", "keyType": "RANGE"}]}],
    "localSecondaryIndexes": [{"name": "by_day", "rangeKey": "day", "projectionType": "ALL"}],
    "ttl": {"attributeName": "expires", "enabled": True},
}  # fmt: skip
STATES: dict[str, Any] = {
    "terraform.tfstate": {
        "version": 4, "terraform_version": "1.9.0", "resources": [
            {"mode": "managed", "type": "aws_dynamodb_table", "name": "o", "instances": [{"attributes": _TERRAFORM}]},
            {"mode": "data", "type": "aws_dynamodb_table", "name": "d", "instances": [{"attributes": {"name": "x"}}]},
            {"mode": "managed", "type": "aws_sqs_queue", "name": "q", "instances": [{"attributes": {}}]}],
    },
    "show.json": {
        "format_version": "1.0", "terraform_version": "1.9.0", "values": {"root_module": {"child_modules": [
            {"resources": [{"mode": "managed", "type": "aws_dynamodb_table", "values": _TERRAFORM}]}]}},
    },
    "stack.json": {
        "version": 3, "deployment": {"manifest": {}, "resources": [
            {"type": "pulumi:pulumi:Stack", "urn": "u"},
            {"type": "aws:dynamodb/table:Table", "urn": "t", "inputs": {"name": "x"}, "outputs": _PULUMI}]},
    },
}  # fmt: skip


def read(path: str, text: str) -> Schema:
    schema = ADOPTION.read_schema({path: json_of_yaml(text) or text})
    assert schema is not None
    return schema


def test_a_template_in_yaml_has_its_tables_whatever_its_functions() -> None:
    schema = read("template.yaml", YAML)
    assert schema.not_expressed == ()
    assert schema.targets == (
        ORDERS,
        TableTarget("Sessions", 1, (KeyPart("token", "S", "HASH"),)),
        TableTarget("Plain", 1, (KeyPart("id", "S", "HASH"),)),
    )


@pytest.mark.parametrize(("path", "document"), STATES.items(), ids=STATES)
def test_a_state_has_its_tables(path: str, document: Any) -> None:
    schema = read(path, json.dumps(document))
    assert (schema.targets, schema.not_expressed) == ((ORDERS,), ())


def test_a_table_of_every_file_is_adopted() -> None:
    files = {"template.yaml": YAML, **{path: json.dumps(document) for path, document in STATES.items()}}
    adopted = from_files(files, Environment("dev"))
    assert adopted.not_expressed == ()
    for target in (target for target in adopted.targets if target.name == "orders"):
        assert_law(engine_named("dynamodb"), ORDERS, target.adopted, DynamoEnvironment(flavour="dynamodb"))


def test_a_name_that_a_template_computes_is_a_reason() -> None:
    text = YAML.replace("!Ref Key", "!ImportValue key")
    reasons = [part.reason for part in read("template.yaml", text).not_expressed]
    assert reasons == ["table not read: an attribute of its KeySchema has a name that the template computes"]


@pytest.mark.parametrize("document", [
    {"version": 4, "terraform_version": "1.9.0", "resources": []},
    {"version": 3, "deployment": {"manifest": {}, "resources": []}},
    {"Resources": {"Queue": {"Type": "AWS::SQS::Queue"}}},
])  # fmt: skip
def test_a_file_without_tables_is_a_reason(document: Any) -> None:
    assert [part.reason for part in read("a.json", json.dumps(document)).not_expressed] == ["it has no DynamoDB table"]


@pytest.mark.parametrize("document", [
    {"terraform_version": "1.9.0", "resources": [{"type": "aws_dynamodb_table", "instances": [{}]}]},
    {"deployment": {"manifest": {}, "resources": [{"type": "aws:dynamodb/table:Table", "outputs": {"ttl": []}}]}},
    {"Resources": {"T": {"Type": "AWS::Serverless::SimpleTable", "Properties": {"PrimaryKey": {"Type": "X"}}}}},
])  # fmt: skip
def test_an_incomplete_file_is_a_reason_and_never_a_crash(document: Any) -> None:
    assert read("a.json", json.dumps(document)).not_expressed


def test_aliases_are_not_expanded() -> None:
    lines = ["a0: &a0 [x, x]", *(f"a{at}: &a{at} [*a{at - 1}, *a{at - 1}]" for at in range(1, 40))]
    assert json_of_yaml("\n".join(lines)) is None


@pytest.mark.parametrize(("name", "problem"), [
    ("notes.txt", '"notes.txt" is not a schema of a known kind'),
    ("entity.ts", '"entity.ts" is a program, and keywright runs no programs of others'),
])  # fmt: skip
def test_an_unknown_file_is_an_error_that_lists_the_known_kinds(name: str, problem: str) -> None:
    with pytest.raises(UsageError) as raised:
        from_files({name: "const a = 1"}, Environment("dev"))
    assert raised.value.problem == problem
    assert "CreateTable or DescribeTable JSON; CloudFormation or SAM template; Terraform" in raised.value.help
