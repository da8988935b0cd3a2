"""Rules of programs: what points at what, what is not known, and every branch that a page has no room for."""

import json
from typing import Any

import pytest
from tests.pages.resources import SOUND

from keywright.engines.cassandra.settings import CassandraEnvironment
from keywright.engines.dynamodb.scaling import TARGET
from keywright.engines.flaws.context import Flaw
from keywright.engines.flaws.iam import Allowed, allowed
from keywright.engines.flaws.metric_alarms import ALARM
from keywright.engines.flaws.resource import NotKnown, Resource, Unknown
from keywright.engines.redis.settings import RedisEnvironment
from keywright.rules.infra.catalogue import INFRA, of_programs
from keywright.rules.infra.hardened import HARDENING, has_remedy, remedies
from keywright.rules.infra.hardening import ROWS
from keywright.rules.infra.judge import is_of_resources, on_resource, on_stack
from keywright.rules.infra.stores import alone, together
from keywright.rules.models import MODELS
from keywright.rules.rule import Level, Rule

TABLE = "aws:dynamodb/table:Table"
KEYSPACE, CASSANDRA_TABLE = "keywright:cassandra:Keyspace", "keywright:cassandra:Table"
COLLECTION = "keywright:mongodb:Collection"
UNKNOWN = Unknown("there")
RULES = {rule.code: rule for rule in of_programs()}


def a(type: str, name: str = "orders", /, needs: Any = None, ignores: tuple[str, ...] = (), **inputs: Any) -> Resource:
    """A resource as it had better be, but for these inputs."""
    return Resource(
        type=type, urn=urn(type, name), inputs={**SOUND.get(type, {}), **inputs}, is_protected=True,
        update_seconds=14400, needs=needs or {}, ignores=ignores,
    )  # fmt: skip


def urn(type: str, name: str = "orders") -> str:
    return f"urn:pulumi:prod::shop::{type}::{name}"


def found(code: str, *all: Resource, **given: Any) -> list[str]:
    return [flaw.problem for flaw in on_stack(RULES[code], all, {}, given)]


@pytest.mark.parametrize(
    "ask",
    [
        bool, str, len, iter, hash, int, float, lambda one: one == 1, lambda one: one != 1, lambda one: one < 1,
        lambda one: 1 in one, lambda one: one["key"], lambda one: one.get("key"), lambda one: f"{one}",
    ],
)  # fmt: skip
def test_whatever_asks_what_is_not_known_is_told_so(ask: Any) -> None:
    with pytest.raises(NotKnown, match='"there" is not known during preview'):
        ask(UNKNOWN)


def test_an_input_is_found_by_its_path_and_nothing_is_none() -> None:
    one = a(TABLE, ttl={"enabled": True, "attributeName": UNKNOWN}, replicas=UNKNOWN)
    assert one.value("ttl.enabled") is True
    assert one.value("stream.kind.of") is None
    assert not one.is_known("ttl.attributeName")
    assert not one.is_known("replicas.regionName")
    assert one.name == "orders"


def test_a_resource_points_at_another_by_what_it_is_made_of_or_by_a_name() -> None:
    table = a(TABLE, name="prod-orders")
    assert a(TARGET, needs={"resourceId": [table.urn]}, resourceId=UNKNOWN).points_at("resourceId", table, "name")
    assert a(TARGET, resourceId="table/prod-orders").points_at("resourceId", table, "name", "table/{}")
    assert not a(TARGET, resourceId="table/orders").points_at("resourceId", table, "name", "table/{}")
    assert not a(TARGET, resourceId=UNKNOWN).points_at("resourceId", table, "name", "table/{}")


def test_the_rows_and_the_files_are_the_catalogue() -> None:
    codes = [rule.code for rule in INFRA]
    assert codes == sorted(set(codes))
    assert {rule.code for rule in HARDENING} == set(ROWS)
    assert all(rule.finder("resource") or rule.finder("stack") for rule in INFRA)
    assert {rule.code for rule in of_programs()} >= set(codes)


def test_remediations_are_pure_hardening() -> None:
    assert [code for code in ROWS if has_remedy(code)] == ["INF101", "INF103", "INF305"]
    assert list(remedies("INF101", a(TABLE, pointInTimeRecovery={"enabled": False}))) == [
        ("pointInTimeRecovery.enabled", True)
    ]
    assert list(remedies("INF101", a(TABLE))) == []
    assert list(remedies("INF101", a("aws:s3/bucket:Bucket"))) == []
    with pytest.raises(NotKnown):
        list(remedies("INF103", a(TABLE, deletionProtectionEnabled=UNKNOWN)))


def test_numbers_and_texts_of_booleans_are_taken_as_the_engine_sends_them() -> None:
    group = "aws:elasticache/replicationGroup:ReplicationGroup"
    assert found("INF206", a(group, autoMinorVersionUpgrade="true")) == []
    assert found("INF206", a(group, autoMinorVersionUpgrade="false")) != []
    assert found("INF205", a(group, snapshotRetentionLimit=7.0)) == []


def test_every_rule_of_one_resource_passes_over_what_it_is_not_about() -> None:
    bucket = a("aws:s3/bucket:Bucket", bucket=UNKNOWN)
    for rule in of_programs():
        if is_of_resources(rule):
            assert list(on_resource(rule, bucket, {}, {})) == [], rule.code


def unknown_everywhere(value: Any) -> Any:
    """The same with every leaf not known."""
    if isinstance(value, dict):
        return {key: unknown_everywhere(one) for key, one in value.items()}
    return [unknown_everywhere(one) for one in value] if isinstance(value, list) else UNKNOWN


@pytest.mark.parametrize("rule", of_programs(), ids=lambda rule: rule.code)
def test_no_rule_guesses_or_fails_where_nothing_is_known(rule: Rule) -> None:
    for type, inputs in SOUND.items():
        one = a(type, **unknown_everywhere(inputs))
        try:
            problems = [flaw.problem for flaw in on_stack(rule, [one], {}, {})]
        except NotKnown:
            continue
        assert [one for one in problems if "failed" in one] == []


def test_what_is_not_known_of_one_resource_hides_nothing_of_another() -> None:
    careless = a(TABLE, "careless", pointInTimeRecovery={"enabled": False})
    told = on_stack(RULES["INF101"], [a(TABLE, pointInTimeRecovery=UNKNOWN), careless], {}, {})
    assert next(told).subject == careless.urn
    with pytest.raises(NotKnown):
        next(told)


class Broken(Rule):
    """A rule that fails."""

    def finder(self, level: Level) -> Any:
        return (lambda one: [one.inputs["missing"]]) if level == "resource" else None


def test_a_rule_that_fails_says_so_in_place_of_passing() -> None:
    (told,) = on_resource(Broken("INF101"), a(TABLE), {}, {})
    assert told.problem.startswith("the rule INF101 failed: KeyError: 'missing'")


def test_a_backup_selection_takes_tables_by_name_by_pattern_by_tag_and_by_what_it_is_made_of() -> None:
    table = a(TABLE, name="prod-orders", tags={"backup": "nightly"})
    plan = "aws:backup/selection:Selection"
    takes: list[dict[str, Any]] = [
        {"resources": ["*"]},
        {"resources": ["arn:aws:dynamodb:*:*:table/prod-*"]},
        {"selectionTags": [{"type": "STRINGEQUALS", "key": "backup", "value": "nightly"}]},
        {"resources": [UNKNOWN], "needs": {"resources": [table.urn]}},
    ]
    assert [found("INF104", table, a(plan, "nightly", **one)) for one in takes] == [[], [], [], []]
    for one in ({"resources": ["arn:aws:rds:*:*:db:*"]}, {"selectionTags": [{"key": "backup", "value": "no"}]}):
        assert found("INF104", table, a(plan, "nightly", **one)) == ['table "orders" is in no backup plan']
    assert found("INF104", table) == []
    assert found("INF104", table, required=True) == ['table "orders" is in no backup plan']


def document(**statement: Any) -> str:
    return json.dumps({"Statement": [{"Effect": "Allow", "Action": "dynamodb:GetItem", "Resource": "*", **statement}]})


def test_documents_of_iam_are_read_in_all_their_forms() -> None:
    one = Allowed(("dynamodb:getitem",), ("*",), (), False)
    assert list(allowed(document())) == [one]
    assert list(allowed(json.loads(document()))) == [one]
    assert list(allowed(json.dumps({"Statement": json.loads(document())["Statement"][0]}))) == [one]
    assert list(allowed(document(Effect="Deny"))) == []
    assert list(allowed("no document")) == []
    assert list(allowed(None)) == []


def test_accounts_that_are_named_are_let_in_and_others_are_not() -> None:
    kind = "aws:dynamodb/resourcePolicy:ResourcePolicy"
    policy = document(Principal={"AWS": ["arn:aws:iam::111122223333:role/reports", "444455556666"]})
    one = a(kind, policy=policy)
    assert found("INF105", one) == [
        "the policy lets account 111122223333 in",
        "the policy lets account 444455556666 in",
    ]
    assert found("INF105", one, accounts=("111122223333", "444455556666")) == []
    assert found("INF105", a(kind, policy=document(Principal="*"))) == ["the policy lets everybody in"]
    assert found("INF105", a(kind, policy=document(Principal="*", Condition={"StringEquals": {}}))) == []


def test_ports_are_open_by_groups_rules_and_ingresses() -> None:
    rule = "aws:ec2/securityGroupRule:SecurityGroupRule"
    ingress = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule"
    everywhere = {"fromPort": 6379, "toPort": 6379, "protocol": "tcp", "cidrBlocks": ["0.0.0.0/0"]}
    assert found("INF210", a(rule, type="ingress", **everywhere)) != []
    assert found("INF210", a(rule, type="egress", **everywhere)) == []
    assert found("INF210", a(ingress, ipProtocol="-1", cidrIpv6="::/0")) != []
    assert found("INF210", a(ingress, ipProtocol="tcp", fromPort=443, toPort=443, cidrIpv4="0.0.0.0/0")) == []


def scaled(side: str, **more: Any) -> Resource:
    return a(
        TARGET, side, resourceId="table/orders", scalableDimension=f"dynamodb:table:{side}CapacityUnits",
        minCapacity=5, maxCapacity=50, **more,
    )  # fmt: skip


def test_a_table_that_scales_has_capacity_that_follows_by_either_way_to_say_it() -> None:
    provisioned = {"name": "orders", "billingMode": "PROVISIONED", "readCapacity": 5, "writeCapacity": 5}
    table = a(TABLE, ignores=("readCapacity", "writeCapacity"), **provisioned)
    assert found("DDB026", table, scaled("Read"), scaled("Write")) == []
    assert found("DDB026", table, scaled("Read")) != []
    assert found("INF603", table, scaled("Read"), scaled("Write")) == []
    assert found("INF603", table) != []
    assert found("INF603", a(TABLE, ignores=("*",), **provisioned), scaled("Read"), scaled("Write")) == []


def test_an_alarm_is_about_a_table_by_a_query_too() -> None:
    table = a(TABLE, name="orders")
    metric = {"namespace": "AWS/DynamoDB", "metricName": "ThrottledRequests", "dimensions": {"TableName": "orders"}}
    assert found("MON001", table, a(ALARM, "throttled", metricQueries=[{"id": "m", "metric": metric}])) == []
    other = {**metric, "dimensions": {"TableName": "users"}}
    assert found("MON001", table, a(ALARM, "throttled", metricQueries=[{"id": "m", "metric": other}])) != []
    unknown = a(ALARM, "throttled", needs={"dimensions": [table.urn]}, **{**metric, "dimensions": UNKNOWN})
    assert found("MON001", table, unknown) == []


def test_a_mapping_of_a_stream_that_is_still_to_come_is_known_by_what_it_is_made_of() -> None:
    kind = "aws:lambda/eventSourceMapping:EventSourceMapping"
    table = a(TABLE)
    mapping = {"eventSourceArn": UNKNOWN, "needs": {"eventSourceArn": [table.urn]}}
    assert found("DDB025", table, a(kind, "search", **mapping)) != []
    queue = {"onFailure": {"destinationArn": UNKNOWN}}
    assert found("DDB025", table, a(kind, "search", destinationConfig=queue, **mapping)) == []
    assert found("DDB025", table, a(kind, "search", eventSourceArn="arn:aws:sqs:eu-west-1:1:jobs")) == []


def test_collections_of_one_database_and_tables_of_one_keyspace_are_one_target() -> None:
    collections = [a(COLLECTION, f"content.{name}", database="content", name=name) for name in ("posts", "notes")]
    (database,) = together(collections, {})
    assert [one.name for one in database.stored.placed.collections] == ["notes", "posts"]
    assert database.urn(Flaw(problem="", help="", subject="notes")) == collections[1].urn
    keyspace = a(KEYSPACE, "netflix", name="netflix", replication={"class": "SimpleStrategy"})
    table = a(CASSANDRA_TABLE, "netflix.seen", keyspace="netflix", name="seen", partition=[["id", "text"]], options={})
    own = CassandraEnvironment(flavour="scylla")
    (built,) = together([table, keyspace], {"cassandra": own})
    assert (built.stored.environment, [one.name for one in built.stored.placed.tables]) == (own, ["seen"])
    assert list(together([table], {})) == [], "nobody knows how its rows are kept"


def test_what_no_provider_would_take_is_left_to_it() -> None:
    assert list(alone(a(TABLE, hashKey="day"), {})) == []
    assert list(alone(a(TABLE, globalSecondaryIndexes="by_day"), {})) == []
    assert list(together([a(COLLECTION, "content.posts", database="content")], {})) == []


def test_a_parameter_group_says_more_of_its_server_than_the_environment() -> None:
    kind = "aws:elasticache/parameterGroup:ParameterGroup"
    group = a(kind, "jobs", family="valkey8", parameters=[{"name": "maxmemory-policy", "value": "noeviction"}])
    (built,) = alone(group, {"redis": RedisEnvironment(flavour="redis")})
    assert built.stored.environment == RedisEnvironment(flavour="elasticache", version="8.0")
    assert built.stored.placed.settings == (("maxmemory-policy", "noeviction"),)


def test_rules_of_one_resource_judge_before_anything_is_made() -> None:
    assert {rule.code for rule in HARDENING if not is_of_resources(rule)} == set()
    assert not is_of_resources(RULES["MON001"])
    assert not is_of_resources(RULES["DDB026"])
    assert {rule.code for rule in MODELS} & {rule.code for rule in INFRA} == set()
