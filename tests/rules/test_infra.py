"""Rules of programs: what points at what, what is not known, and every branch that a page has no room for."""

import json
from datetime import date
from typing import Any

import pytest
from tests.pages.resources import SOUND

from keywright.engines.cassandra.declare.settings import CassandraEnvironment
from keywright.engines.dynamodb.schema.scaling import POLICY, TARGET
from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.metric_alarms import ALARM
from keywright.engines.findings.program.iam import Allowed, allowed
from keywright.engines.findings.program.resource import NotKnown, ProgramResource, Unknown
from keywright.engines.redis.declare.settings import RedisEnvironment
from keywright.record import replace
from keywright.rules.infra.catalogue import INFRA, of_programs
from keywright.rules.infra.hardening_rules import HARDENING, ROWS, has_remedy, remedies
from keywright.rules.infra.program_targets import target_of, targets_of
from keywright.rules.infra.run import is_of_resources, on_resource, on_stack
from keywright.rules.infra.version_past_support import LIFECYCLES
from keywright.rules.models import MODELS
from keywright.rules.rule import Level, Rule

TABLE = "aws:dynamodb/table:Table"
KEYSPACE, CASSANDRA_TABLE = "keywright:cassandra:Keyspace", "keywright:cassandra:Table"
COLLECTION = "keywright:mongodb:Collection"
UNKNOWN = Unknown("there")
RULES = {rule.code: rule for rule in of_programs()}


def a(
    type: str, name: str = "orders", /, needs: Any = None, ignores: tuple[str, ...] = (), **inputs: Any
) -> ProgramResource:
    """A sound resource, except for these inputs."""
    return ProgramResource(
        type=type, urn=urn(type, name), inputs={**SOUND.get(type, {}), **inputs}, is_protected=True,
        update_seconds=14400, needs=needs or {}, ignores=ignores,
    )  # fmt: skip


def urn(type: str, name: str = "orders") -> str:
    return f"urn:pulumi:prod::shop::{type}::{name}"


def problems(code: str, *all: ProgramResource, **arguments: Any) -> list[str]:
    return [draft.problem for draft in on_stack(RULES[code], all, {}, arguments)]


@pytest.mark.parametrize(
    "ask",
    [
        bool, str, len, iter, hash, int, float, lambda value: value == 1, lambda value: value != 1,
        lambda value: value < 1, lambda value: 1 in value, lambda value: value["key"], lambda value: value.get("key"),
        lambda value: f"{value}",
    ],
)  # fmt: skip
def test_every_use_of_an_unknown_value_raises(ask: Any) -> None:
    with pytest.raises(NotKnown, match='"there" is not known during preview'):
        ask(UNKNOWN)


def test_an_input_is_found_by_its_path_and_nothing_is_none() -> None:
    resource = a(TABLE, ttl={"enabled": True, "attributeName": UNKNOWN}, replicas=UNKNOWN)
    assert resource.value("ttl.enabled") is True
    assert resource.value("stream.kind.of") is None
    assert not resource.is_known("ttl.attributeName")
    assert not resource.is_known("replicas.regionName")
    assert resource.name == "orders"


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
    assert problems("INF206", a(group, autoMinorVersionUpgrade="true")) == []
    assert problems("INF206", a(group, autoMinorVersionUpgrade="false")) != []
    assert problems("INF205", a(group, snapshotRetentionLimit=7.0)) == []


def test_every_rule_of_one_resource_passes_over_what_it_is_not_about() -> None:
    bucket = a("aws:s3/bucket:Bucket", bucket=UNKNOWN)
    for rule in of_programs():
        if is_of_resources(rule):
            assert list(on_resource(rule, bucket, {}, {})) == [], rule.code


def unknown_everywhere(value: Any) -> Any:
    """The same value with every leaf unknown."""
    if isinstance(value, dict):
        return {key: unknown_everywhere(part) for key, part in value.items()}
    return [unknown_everywhere(part) for part in value] if isinstance(value, list) else UNKNOWN


@pytest.mark.parametrize("rule", of_programs(), ids=lambda rule: rule.code)
def test_no_rule_guesses_or_fails_where_nothing_is_known(rule: Rule) -> None:
    for type, inputs in SOUND.items():
        resource = a(type, **unknown_everywhere(inputs))
        try:
            drafts = list(on_stack(rule, [resource], {}, {}))
        except NotKnown:
            continue
        assert [draft.problem for draft in drafts if "failed" in draft.problem] == []


def test_what_is_not_known_of_one_resource_hides_nothing_of_another() -> None:
    careless = a(TABLE, "careless", pointInTimeRecovery={"enabled": False})
    findings = on_stack(RULES["INF101"], [a(TABLE, pointInTimeRecovery=UNKNOWN), careless], {}, {})
    assert next(findings).subject == careless.urn
    with pytest.raises(NotKnown):
        next(findings)


class Broken(Rule):
    """A rule that fails."""

    def finder(self, level: Level) -> Any:
        return (lambda resource: [resource.inputs["missing"]]) if level == "resource" else None


def test_a_rule_that_fails_says_so_in_place_of_passing() -> None:
    (finding,) = on_resource(Broken("INF101"), a(TABLE), {}, {})
    assert finding.problem.startswith("the rule INF101 failed: KeyError: 'missing'")


def test_a_backup_selection_takes_tables_by_name_by_pattern_by_tag_and_by_what_it_is_made_of() -> None:
    table = a(TABLE, name="prod-orders", tags={"backup": "nightly"})
    plan = "aws:backup/selection:Selection"
    takes: list[dict[str, Any]] = [
        {"resources": ["*"]},
        {"resources": ["arn:aws:dynamodb:*:*:table/prod-*"]},
        {"selectionTags": [{"type": "STRINGEQUALS", "key": "backup", "value": "nightly"}]},
        {"resources": [UNKNOWN], "needs": {"resources": [table.urn]}},
    ]
    assert [problems("INF104", table, a(plan, "nightly", **take)) for take in takes] == [[], [], [], []]
    for other in ({"resources": ["arn:aws:rds:*:*:db:*"]}, {"selectionTags": [{"key": "backup", "value": "no"}]}):
        assert problems("INF104", table, a(plan, "nightly", **other)) == ['table "orders" is in no backup plan']
    assert problems("INF104", table) == []
    assert problems("INF104", table, required=True) == ['table "orders" is in no backup plan']


def document(**statement: Any) -> str:
    return json.dumps({"Statement": [{"Effect": "Allow", "Action": "dynamodb:GetItem", "Resource": "*", **statement}]})


def test_documents_of_iam_are_read_in_all_their_forms() -> None:
    statement = Allowed(("dynamodb:getitem",), ("*",), (), False)
    assert list(allowed(document())) == [statement]
    assert list(allowed(json.loads(document()))) == [statement]
    assert list(allowed(json.dumps({"Statement": json.loads(document())["Statement"][0]}))) == [statement]
    assert list(allowed(document(Effect="Deny"))) == []
    assert list(allowed("no document")) == []
    assert list(allowed(None)) == []


def test_accounts_that_are_named_are_let_in_and_others_are_not() -> None:
    kind = "aws:dynamodb/resourcePolicy:ResourcePolicy"
    policy = document(Principal={"AWS": ["arn:aws:iam::111122223333:role/reports", "444455556666"]})
    resource = a(kind, policy=policy)
    assert problems("INF105", resource) == [
        "the policy grants access to account 111122223333",
        "the policy grants access to account 444455556666",
    ]
    assert problems("INF105", resource, accounts=("111122223333", "444455556666")) == []
    assert problems("INF105", a(kind, policy=document(Principal="*"))) == ["the policy grants access to everybody"]
    assert problems("INF105", a(kind, policy=document(Principal="*", Condition={"StringEquals": {}}))) == []


def test_ports_are_open_by_groups_rules_and_ingresses() -> None:
    rule = "aws:ec2/securityGroupRule:SecurityGroupRule"
    ingress = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule"
    everywhere = {"fromPort": 6379, "toPort": 6379, "protocol": "tcp", "cidrBlocks": ["0.0.0.0/0"]}
    assert problems("INF210", a(rule, type="ingress", **everywhere)) != []
    assert problems("INF210", a(rule, type="egress", **everywhere)) == []
    assert problems("INF210", a(ingress, ipProtocol="-1", cidrIpv6="::/0")) != []
    assert problems("INF210", a(ingress, ipProtocol="tcp", fromPort=443, toPort=443, cidrIpv4="0.0.0.0/0")) == []


MONGO = {"fromPort": 27017, "toPort": 27017, "protocol": "tcp", "cidrBlocks": ["0.0.0.0/0"], "description": "clients"}


def test_a_port_of_a_database_is_reported_once_and_as_what_it_is() -> None:
    group = "aws:ec2/securityGroup:SecurityGroup"
    everything = {**MONGO, "protocol": "-1", "fromPort": 0, "toPort": 0}
    assert problems("INF618", a(group, ingress=[MONGO])) == [
        "port 27017 is open to 0.0.0.0/0, which is every address: 27017 (MongoDB)"
    ]
    assert problems("INF618", a(group, ingress=[{**MONGO, "fromPort": 9000, "toPort": 9100}])) == [
        "ports 9000 to 9100 are open to 0.0.0.0/0, which is every address: 9042 (CQL)"
    ]
    assert problems("INF618", a(group, ingress=[MONGO]), except_ports=(27017,)) == []
    assert problems("INF618", a(group, ingress=[everything])) == [], "INF210 reports it"
    assert problems("INF210", a(group, ingress=[everything])) != []
    for sound in ({**MONGO, "cidrBlocks": ["0.0.0.0/1"]}, {**MONGO, "protocol": "udp"}, {**MONGO, "cidrBlocks": []}):
        assert problems("INF618", a(group, ingress=[sound])) == []
    with pytest.raises(NotKnown):
        problems("INF618", a(group, ingress=UNKNOWN))


def test_a_rule_for_every_port_is_of_no_database_and_needs_no_description() -> None:
    group = "aws:ec2/securityGroup:SecurityGroup"
    bare = {**MONGO, "description": ""}
    assert problems("INF619", a(group, ingress=[bare], description="Managed by Pulumi")) == [
        "the group and the rule for port 27017 have no description: a reviewer cannot tell who needs the access"
    ]
    assert problems("INF619", a(group, ingress=[{**bare, "protocol": "-1"}])) == []
    assert problems("INF619", a("aws:ec2/securityGroupRule:SecurityGroupRule", type="ingress", **bare)) == [
        "the rule for port 27017 has no description: a reviewer cannot tell who needs the access"
    ]


def test_a_policy_that_allows_everything_is_named_as_such_and_not_as_a_scan() -> None:
    kind = "aws:iam/policy:Policy"
    assert problems("INF620", a(kind, policy=document(Action="dynamodb:*"))) == [
        '"dynamodb:*" allows every action of DynamoDB on *: its holder can also delete the data and its backups'
    ]
    assert problems("DDB002", a(kind, policy=document(Action="dynamodb:*"))) == []
    assert problems("DDB002", a(kind, policy=document(Action="dynamodb:S*"))) != []
    assert problems("INF620", a(kind, policy=document(Action="*"))) == [
        '"*" allows every action of every service on *: its holder can also delete the data and its backups'
    ]
    assert problems("INF620", a(kind, policy=document(Action="*", Condition={"Bool": {}}))) == []
    assert problems("INF620", a(kind, policy=document(Action=None, NotAction="s3:*"))) == [
        '"*" allows every action of every service except s3:* on *: its holder can also delete the data and its backups'
    ]
    assert problems("INF620", a(kind, policy=document(Action=["s3:*", "dynamodb:GetItem"]))) == []
    role = "aws:iam/role:Role"
    assert problems("INF620", a(role, inlinePolicies=[{"name": "all", "policy": document(Action="memorydb:*")}])) == [
        '"memorydb:*" allows every action of MemoryDB on *: its holder can also delete the data and its backups'
    ]
    policy = document(Action="dynamodb:*", Principal={"AWS": "111122223333"})
    assert problems("INF620", a("aws:dynamodb/resourcePolicy:ResourcePolicy", policy=policy)) == [
        '"dynamodb:*" allows every action of DynamoDB: its holder can also delete the data and its backups'
    ]


def test_managed_policies_of_aws_are_known_by_their_names() -> None:
    attachment, role = "aws:iam/userPolicyAttachment:UserPolicyAttachment", "aws:iam/role:Role"
    full = "arn:aws:iam::aws:policy/AmazonDocDBFullAccess"
    assert problems("INF620", a(attachment, policyArn=full)) == [
        "AmazonDocDBFullAccess allows every action of DocumentDB: its holder can also delete the data and its backups"
    ]
    assert problems("INF620", a(attachment, policyArn=full), allow=("AmazonDocDBFullAccess",)) == []
    assert problems("INF620", a(attachment, policyArn=UNKNOWN)) == []
    own = "arn:aws:iam::111122223333:policy/AmazonDocDBFullAccess"
    assert problems("INF620", a(role, managedPolicyArns=[UNKNOWN, own])) == []
    admin = "arn:aws:iam::aws:policy/AdministratorAccess"
    assert len(problems("INF620", a(role, managedPolicyArns=[admin, full]))) == 2


def test_actions_on_every_table_are_reported_unless_they_read_no_data() -> None:
    kind = "aws:iam/policy:Policy"
    assert problems("INF621", a(kind, policy=document(Action=["dynamodb:GetItem", "dynamodb:ListTables"]))) == [
        '"*" is everything of DynamoDB in the account, also the data of other applications: dynamodb:getitem'
    ]
    for every in ("arn:aws:dynamodb:*:*:table/*", "arn:aws:dynamodb:eu-west-1:111122223333:table/*/index/*"):
        assert problems("INF621", a(kind, policy=document(Resource=[every]))) != []
    every = "arn:aws:cassandra:*:*:/keyspace/*/table/*"
    assert problems("INF621", a(kind, policy=document(Action="cassandra:Select", Resource=every))) != []
    for sound in (
        {"Resource": "arn:aws:dynamodb:*:*:table/shop-*"},
        {"Resource": "arn:aws:s3:::*"},
        {"Action": "dynamodb:DescribeTable"},
        {"Action": "dynamodb:*"},
        {"Action": "s3:GetObject"},
        {"Condition": {"StringEquals": {}}},
    ):
        assert problems("INF621", a(kind, policy=document(**sound))) == [], sound


def test_a_user_is_open_if_it_is_on_and_needs_no_password() -> None:
    kind = "aws:elasticache/user:User"
    assert problems("INF211", a(kind, accessString="on ~cart:* +get", noPasswordRequired=True)) == [
        'the user needs no password: every client with network access has its rights, "on ~cart:* +get"'
    ]
    assert problems("INF211", a(kind, accessString="~cart:* +get", noPasswordRequired=True)) == [], "off is the default"
    assert problems("INF211", a(kind, accessString="on ~*", authenticationMode={"type": "password"})) == []
    with pytest.raises(NotKnown):
        problems("INF211", a(kind, accessString=UNKNOWN, noPasswordRequired=True))


def test_a_cluster_of_a_replication_group_or_of_memcached_is_no_single_node() -> None:
    kind = "aws:elasticache/cluster:Cluster"
    assert problems("INF213", a(kind, engine="valkey")) != []
    assert problems("INF213", a(kind, engine="valkey", replicationGroupId=UNKNOWN)) == []
    assert problems("INF213", a(kind, engine="memcached")) == []
    assert problems("INF213", a(kind)) == []


def test_nodes_are_of_a_previous_generation_by_their_family() -> None:
    assert problems("INF217", a("aws:elasticache/cluster:Cluster", nodeType="cache.r3.large")) == [
        "nodeType is cache.r3.large, a previous generation: slower and dearer per gigabyte than cache.r7g"
    ]
    full = "aws:elasticache/globalReplicationGroup:GlobalReplicationGroup"
    assert problems("INF217", a(full, cacheNodeType="cache.m3.large")) != []
    assert problems("INF217", a(full, cacheNodeType="cache.m4.large")) == []


def test_snapshots_of_memorydb_are_counted_in_days() -> None:
    assert problems("INF215", a("aws:memorydb/cluster:Cluster", snapshotRetentionLimit=6)) == [
        "snapshotRetentionLimit is 6: snapshots are kept for less than 7 days"
    ]
    assert problems("INF215", a("aws:memorydb/cluster:Cluster", snapshotRetentionLimit=6), days=6) == []


def test_a_parameter_group_may_disable_two_things() -> None:
    kind = "aws:docdb/clusterParameterGroup:ClusterParameterGroup"
    rows = [{"name": "audit_logs", "value": "disabled"}, {"name": "ttl_monitor", "value": "disabled"}]
    assert problems("INF309", a(kind, parameters=rows)) == [
        "audit_logs is disabled: clusters with this group record no logins, even if they export audit",
        "ttl_monitor is disabled: no TTL index deletes anything, and expired documents are read and billed",
    ]
    assert problems("INF309", a(kind, parameters=[{"name": "audit_logs", "value": "dml_write, ddl"}])) == []
    assert problems("INF309", a(kind, parameters=[{"name": "audit_logs", "value": "dml_write"}])) != []


def test_a_global_cluster_has_the_encryption_of_its_source() -> None:
    kind = "aws:docdb/globalCluster:GlobalCluster"
    bare = {"storageEncrypted": False, "deletionProtection": False}
    assert len(problems("INF310", a(kind, **bare))) == 2
    assert len(problems("INF310", a(kind, sourceDbClusterIdentifier=UNKNOWN, **bare))) == 1


def test_users_of_atlas_are_broad_by_the_role_and_its_database() -> None:
    kind = "mongodbatlas:index/databaseUser:DatabaseUser"
    broad = {"username": "backup", "roles": [{"roleName": "readAnyDatabase", "databaseName": "admin"}]}
    assert problems("INF511", a(kind, **broad)) == [
        "the role readAnyDatabase lets the user read every database, also those of other applications"
    ]
    assert problems("INF511", a(kind, **broad), allow=("backup",)) == []
    assert problems("INF511", a(kind, roles=[{"roleName": "read", "databaseName": "orders"}])) == []


def test_an_alert_without_effect_is_none() -> None:
    kind = "mongodbatlas:index/alertConfiguration:AlertConfiguration"
    assert problems("INF512", a(kind, enabled=False)) == ["enabled is False: the alert never fires"]
    assert problems("INF512", a(kind, enabled=True)) == ["it has no notifications: nobody sees the alert"]
    assert problems("INF512", a("mongodbatlas:index/project:Project")) == [], "the default is on"


def test_a_peering_is_compared_with_its_own_container() -> None:
    container, peering = (
        "mongodbatlas:index/networkContainer:NetworkContainer",
        "mongodbatlas:index/networkPeering:NetworkPeering",
    )
    near = a(container, "near", atlasCidrBlock="10.20.8.0/21")
    far = a(container, "far", atlasCidrBlock="192.168.248.0/21")
    routes = {"routeTableCidrBlock": "10.20.0.0/16", "containerId": UNKNOWN}
    assert problems("INF513", near, far, a(peering, needs={"containerId": [far.urn]}, **routes)) == []
    assert problems("INF513", near, far, a(peering, needs={"containerId": [near.urn]}, **routes)) == [
        "its network 10.20.0.0/16 overlaps 10.20.8.0/21 of the container: Atlas refuses the peering"
    ]
    assert problems("INF513", near, a(peering, routeTableCidrBlock="no network")) == []


def test_passwords_in_blocks_remain_in_the_state_too() -> None:
    user = a("aws:memorydb/user:User", authenticationMode={"type": "password", "passwords": UNKNOWN})
    assert problems("INF612", user) == [
        "authenticationMode.passwords remains in the state, where everybody with access and its key can read the "
        "password"
    ]
    assert problems("INF612", a("aws:memorydb/user:User", authenticationMode={"type": "iam"})) == []
    assert problems("INF612", a("aws:elasticache/user:User", authenticationMode=UNKNOWN)) == []


def scaled(side: str, **more: Any) -> ProgramResource:
    return a(
        TARGET, side, resourceId="table/orders", scalableDimension=f"dynamodb:table:{side}CapacityUnits",
        minCapacity=5, maxCapacity=50, **more,
    )  # fmt: skip


def test_a_table_that_scales_has_capacity_that_follows_by_either_way_to_say_it() -> None:
    provisioned = {"name": "orders", "billingMode": "PROVISIONED", "readCapacity": 5, "writeCapacity": 5}
    table = a(TABLE, ignores=("readCapacity", "writeCapacity"), **provisioned)
    assert problems("DDB026", table, scaled("Read"), scaled("Write")) == []
    assert problems("DDB026", table, scaled("Read")) != []
    assert problems("INF603", table, scaled("Read"), scaled("Write")) == []
    assert problems("INF603", table) != []
    assert problems("INF603", a(TABLE, ignores=("*",), **provisioned), scaled("Read"), scaled("Write")) == []


def test_a_replica_has_what_its_table_has() -> None:
    bare = {"regionName": "eu-central-1", "pointInTimeRecovery": False}
    assert problems("INF109", a(TABLE, replicas=[bare])) == [
        "the replica in eu-central-1 has no pointInTimeRecovery, unlike the table: it cannot be restored to a point in "
        "time of the last weeks",
        "the replica in eu-central-1 has no kmsKeyArn, unlike the table: you can neither revoke nor audit its "
        "encryption key",
        "the replica in eu-central-1 has no deletionProtectionEnabled, unlike the table: anybody who may delete tables "
        "can delete it",
    ]
    plain = {"pointInTimeRecovery": None, "serverSideEncryption": None, "deletionProtectionEnabled": False}
    assert problems("INF109", a(TABLE, replicas=[bare], **plain)) == [], "other rules report the table"
    assert problems("INF109", a("aws:dynamodb/tableReplica:TableReplica", kmsKeyArn=UNKNOWN)) == []
    assert len(problems("INF109", a("aws:dynamodb/tableReplica:TableReplica", kmsKeyArn=None))) == 1


def test_a_target_is_scaled_by_a_policy_or_by_a_schedule() -> None:
    target = scaled("Read")
    same = {"resourceId": "table/orders", "scalableDimension": "dynamodb:table:ReadCapacityUnits"}
    unscaled = ["no policy and no schedule in the program scales this capacity: it stays as it is, and throttles"]
    assert problems("INF111", target) == unscaled
    assert problems("INF111", target, a(POLICY, **{**same, "resourceId": "table/carts"})) == unscaled
    assert problems("INF111", target, a(POLICY, **same)) == []
    assert problems("INF111", target, a(POLICY, **{**same, "resourceId": UNKNOWN})) == [], "it may be this one"
    schedule = "aws:appautoscaling/scheduledAction:ScheduledAction"
    assert problems("INF111", target, a(schedule, resourceId=UNKNOWN, needs={"resourceId": [target.urn]})) == []
    fixed = a(TARGET, "Read", minCapacity=5, maxCapacity=5, **same)
    assert problems("INF111", fixed, a(POLICY, **same)) == [
        "min_capacity and max_capacity are both 5: the capacity cannot change"
    ]
    assert problems("INF111", a(TARGET, serviceNamespace="ecs", scalableDimension="ecs:service:DesiredCount")) == []


def test_timestamps_of_clients_are_for_keyspaces_in_several_regions() -> None:
    table = a("aws:keyspaces/table:Table", "seen", keyspaceName="netflix", tableName="seen")
    keyspace = "aws:keyspaces/keyspace:Keyspace"
    several = {"name": "netflix", "replicationSpecification": {"replicationStrategy": "MULTI_REGION"}}
    assert problems("INF403", table, a(keyspace, **several)) != []
    assert problems("INF403", table, a(keyspace, **{**several, "name": "other"})) == []
    assert problems("INF403", table, a(keyspace, name="netflix")) == []


def test_support_of_a_version_ends_on_a_day_in_a_table() -> None:
    cluster = "aws:elasticache/cluster:Cluster"
    assert problems("INF622", a(cluster, engine="redis", engineVersion="5.0.6")) == [
        "engineVersion is 5.0.6, whose support in ElastiCache ended on 2026-01-31: extended support is billed per node "
        "and hour"
    ]
    assert problems("INF622", a(cluster, engine="memcached", engineVersion="1.5.16")) == []
    assert problems("INF622", a(cluster, engine="redis", engineVersion="6.2")) == []
    assert problems("INF622", a("aws:docdb/cluster:Cluster")) == [], "the service uses a recent version"
    assert problems("INF622", a("aws:docdb/cluster:Cluster", engineVersion="3.6")) != []
    atlas = "mongodbatlas:index/advancedCluster:AdvancedCluster"
    assert problems("INF622", a(atlas, mongoDbMajorVersion="4.4")) != []
    assert problems("INF622", a(atlas, mongoDbMajorVersion="44.0")) == []


def test_ends_of_support_are_dates_that_python_reads() -> None:
    for lifecycle in LIFECYCLES:
        assert all(date.fromisoformat(day) for day in lifecycle.ends.values())


def test_a_key_is_as_safe_as_the_data_that_it_encrypts() -> None:
    kind = "aws:kms/key:Key"
    key = a(kind, "shop", deletionWindowInDays=7)
    table = a(TABLE, needs={"serverSideEncryption": [key.urn]})
    assert problems("INF623", key, table) == [
        'its deletion can be cancelled for 7 days only; then all data of "orders" is lost'
    ]
    assert problems("INF623", key, table, days=7) == []
    assert problems("INF623", a(kind, "shop"), table) == []
    assert problems("INF623", key, a(TABLE)) == [], "nothing with data uses it"
    assert problems("INF623", replace(a(kind, "shop"), is_protected=False), table) == [
        'an update may delete the key, and with it all data of "orders" and its backups'
    ]


def test_a_password_is_one_unless_it_is_a_placeholder() -> None:
    function = "aws:lambda/function:Function"
    secret = {"variables": {"MONGODB_URI": "mongodb+srv://shop:swordfish@shop.example.net/orders"}}
    assert problems("INF624", a(function, environment=secret)) == [
        "environment contains an address of mongodb+srv with its password: everybody who may describe the resource can "
        "read it"
    ]
    for sound in ("redis://cache:6379", "redis://shop:$PASSWORD@cache", "https://a:b@c", UNKNOWN):
        assert problems("INF624", a(function, environment={"variables": {"URI": sound}})) == []
    task = "aws:ecs/taskDefinition:TaskDefinition"
    definitions = json.dumps([{"environment": [{"name": "CACHE", "value": "rediss://:swordfish@cache:6379"}]}])
    assert problems("INF624", a(task, containerDefinitions=definitions)) != []
    assert problems("INF624", a(task, containerDefinitions=UNKNOWN)) == []


def test_capacities_of_keyspaces_scale_by_targets() -> None:
    capacity = {"throughputMode": "PROVISIONED", "readCapacityUnits": 50, "writeCapacityUnits": 20}
    table = a("aws:keyspaces/table:Table", "seen", tableName="seen", capacitySpecification=capacity)
    reads = a(TARGET, resourceId="keyspace/netflix/table/seen", scalableDimension="cassandra:table:ReadCapacityUnits")
    assert problems("INF404", table) == [
        "nothing scales its capacity of 50 for reads and 20 for writes: requests above it fail"
    ]
    assert problems("INF404", table, reads) == ["nothing scales its capacity of 20 for writes: requests above it fail"]
    assert problems("INF404", a("aws:keyspaces/table:Table", tableName="seen")) == []


def test_a_missing_alarm_stops_no_update() -> None:
    assert {RULES[f"MON00{number}"].severity for number in range(1, 5)} == {"info"}


def test_backups_are_kept_as_long_as_the_longest_rule_of_their_plan() -> None:
    plan, selection = "aws:backup/plan:Plan", "aws:backup/selection:Selection"
    table, takes = a(TABLE), {"planId": "nightly", "resources": ["*"]}

    def rules(*days: Any) -> list[dict[str, Any]]:
        return [{"lifecycle": {"deleteAfter": value}} for value in days]

    short = [
        'the backups of table "orders" are deleted after 14 days, less than the 35 days of point-in-time recovery: the '
        "plan restores nothing more"
    ]
    assert problems("INF112", table, a(plan, name="nightly", rules=rules(7, 14)), a(selection, **takes)) == short
    assert problems("INF112", table, a(plan, name="nightly", rules=rules(7, 35)), a(selection, **takes)) == []
    assert problems("INF112", table, a(plan, name="nightly", rules=rules(7, None)), a(selection, **takes)) == []
    assert problems("INF112", table, a(plan, name="weekly", rules=rules(7)), a(selection, **takes)) == []
    nightly = a(plan, rules=rules(7, 14))
    depends = {**takes, "planId": UNKNOWN}
    assert problems("INF112", table, nightly, a(selection, needs={"planId": [nightly.urn]}, **depends)) == short
    assert problems("INF112", table, nightly, a(selection, **depends)) == []


def test_snapshots_of_atlas_are_kept_in_days_weeks_or_months() -> None:
    kind = "mongodbatlas:index/cloudBackupSchedule:CloudBackupSchedule"
    daily = {"frequencyInterval": 1, "retentionUnit": "days", "retentionValue": 3}
    assert problems("INF514", a(kind, policyItemDaily=daily)) == [
        "its longest retention is 3 days, below 7: a mistake that is found later cannot be undone"
    ]
    weekly = {"frequencyInterval": 6, "retentionUnit": "weeks", "retentionValue": 1}
    assert problems("INF514", a(kind, policyItemDaily=daily, policyItemWeeklies=[weekly])) == []
    assert problems("INF514", a(kind)) == ["it keeps no snapshots: a mistake that is found later cannot be undone"]


def test_an_alarm_is_about_a_table_by_a_query_too() -> None:
    table = a(TABLE, name="orders")
    metric = {"namespace": "AWS/DynamoDB", "metricName": "ThrottledRequests", "dimensions": {"TableName": "orders"}}
    assert problems("MON001", table, a(ALARM, "throttled", metricQueries=[{"id": "m", "metric": metric}])) == []
    other = {**metric, "dimensions": {"TableName": "users"}}
    assert problems("MON001", table, a(ALARM, "throttled", metricQueries=[{"id": "m", "metric": other}])) != []
    unknown = a(ALARM, "throttled", needs={"dimensions": [table.urn]}, **{**metric, "dimensions": UNKNOWN})
    assert problems("MON001", table, unknown) == []


def test_a_mapping_of_a_stream_that_is_still_to_come_is_known_by_what_it_is_made_of() -> None:
    kind = "aws:lambda/eventSourceMapping:EventSourceMapping"
    table = a(TABLE)
    mapping = {"eventSourceArn": UNKNOWN, "needs": {"eventSourceArn": [table.urn]}}
    assert problems("DDB025", table, a(kind, "search", **mapping)) != []
    queue = {"onFailure": {"destinationArn": UNKNOWN}}
    assert problems("DDB025", table, a(kind, "search", destinationConfig=queue, **mapping)) == []
    assert problems("DDB025", table, a(kind, "search", eventSourceArn="arn:aws:sqs:eu-west-1:1:jobs")) == []


def test_collections_of_one_database_and_tables_of_one_keyspace_are_one_target() -> None:
    collections = [a(COLLECTION, f"content.{name}", database="content", name=name) for name in ("posts", "notes")]
    (database,) = targets_of(collections, {})
    assert [collection.name for collection in database.stored.placed.collections] == ["notes", "posts"]
    assert database.urn(FindingDraft(problem="", help="", subject="notes")) == collections[1].urn
    keyspace = a(KEYSPACE, "netflix", name="netflix", replication={"class": "SimpleStrategy"})
    table = a(CASSANDRA_TABLE, "netflix.seen", keyspace="netflix", name="seen", partition=[["id", "text"]], options={})
    own = CassandraEnvironment(flavour="scylla")
    (target,) = targets_of([table, keyspace], {"cassandra": own})
    assert (target.stored.environment, [table.name for table in target.stored.placed.tables]) == (own, ["seen"])
    assert list(targets_of([table], {})) == [], "its replication is unknown"


def test_what_no_provider_would_take_is_left_to_it() -> None:
    assert list(target_of(a(TABLE, hashKey="day"), {})) == []
    assert list(target_of(a(TABLE, globalSecondaryIndexes="by_day"), {})) == []
    assert list(targets_of([a(COLLECTION, "content.posts", database="content")], {})) == []


def test_a_parameter_group_says_more_of_its_server_than_the_environment() -> None:
    kind = "aws:elasticache/parameterGroup:ParameterGroup"
    group = a(kind, "jobs", family="valkey8", parameters=[{"name": "maxmemory-policy", "value": "noeviction"}])
    (target,) = target_of(group, {"redis": RedisEnvironment(flavour="redis")})
    assert target.stored.environment == RedisEnvironment(flavour="elasticache", version="8.0")
    assert target.stored.placed.settings == (("maxmemory-policy", "noeviction"),)


def test_rules_of_one_resource_judge_before_anything_is_made() -> None:
    assert {rule.code for rule in HARDENING if not is_of_resources(rule)} == set()
    assert not is_of_resources(RULES["MON001"])
    assert not is_of_resources(RULES["DDB026"])
    assert {rule.code for rule in MODELS} & {rule.code for rule in INFRA} == set()
