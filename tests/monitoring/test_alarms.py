"""Alarms of CloudWatch: which there are, at which thresholds, and that the service would take them."""

import json
from pathlib import Path
from typing import Any

import boto3
from botocore.validate import ParamValidator
from tests.projects import a_project, imported_alone, with_imports

from keywright import api
from keywright.api.monitoring import alarms, files
from keywright.compiler import Compiled, plan_access
from keywright.engines.contract.resource import StackResource
from keywright.engines.dynamodb.declare.settings import Throughput
from keywright.engines.environment import Threshold
from keywright.engines.mongodb.declare.settings import MongoAlerts
from keywright.engines.redis.declare.settings import ServerSettings
from keywright.engines.registry import engine_named
from keywright.project.environments.monitoring import Monitoring
from keywright.record import replace

ROOT = Path(__file__).parents[2]
TOPIC = "arn:aws:sns:eu-west-1:123456789012:on-call"


def saying(compiled: Compiled, engine: str, *, monitoring: Monitoring | None = None, **told: Any) -> Compiled:
    """The same with other settings of an engine, placed anew."""
    environment = compiled.environment
    part: Any = environment.of(engine)
    alerts = {key: told.pop(key) for key in list(told) if hasattr(part.alerts, key)}
    part = replace(part, **told, alerts=replace(part.alerts, **alerts))
    environment = replace(environment, engines={**environment.engines, engine: part})
    environment = replace(environment, monitoring=monitoring or Monitoring(alarms=True, topic=TOPIC))
    return api.compile(compiled.project, environment)


def found(compiled: Compiled, engine: str = "dynamodb") -> dict[str, StackResource]:
    resources = alarms(engine_named(engine), compiled.targets, compiled.environment, plan_access(compiled))
    names = [resource.name for resource in resources]
    assert len(set(names)) == len(names)
    return {resource.name: resource for resource in resources}


def test_each_table_and_each_index_tells_what_it_does_not_take(prod: Compiled) -> None:
    resources = found(prod)
    targets: dict[str, Any] = {
        target.declared.name: target.placed for target in prod.targets if target.engine.name == "dynamodb"
    }
    for name, table in targets.items():
        parts = [name, *(f"{name}/index/{index.name}" for index in table.indexes)]
        for part in parts:
            for side, metric in (("read", "ReadThrottleEvents"), ("write", "WriteThrottleEvents")):
                inputs = resources[f"{part}/alarm/{side}-throttled"].inputs
                index = {"GlobalSecondaryIndexName": part.rpartition("/")[2]} if part != name else {}
                assert inputs["dimensions"] == {"TableName": table.name, **index}
                assert (inputs["metricName"], inputs["statistic"], inputs["threshold"]) == (metric, "Sum", 0)
                assert (inputs["period"], inputs["evaluationPeriods"]) == (60, 1)
                assert inputs["treatMissingData"] == "notBreaching"
    assert all(resource.within in targets for resource in resources.values())


def test_capacity_is_told_where_there_is_a_most_of_it(prod: Compiled) -> None:
    resources = found(prod)
    consumed = {
        name: resource.inputs["threshold"] for name, resource in resources.items() if name.endswith("-consumed")
    }
    assert consumed == {
        f"{part}/alarm/{side}-consumed": 0.8 * units * 60
        for part in ("messaging", "messaging/index/by_activity", "messaging/index/inverted")
        for side, units in (("read", 260_000), ("write", 130_000))
    }


def test_limits_of_a_table_that_is_paid_on_demand_are_a_most(prod: Compiled) -> None:
    limited = saying(prod, "dynamodb", on_demand_limits=Throughput(read=100, write=10), tables={})
    consumed = {
        name: resource.inputs["threshold"] for name, resource in found(limited).items() if name.endswith("-consumed")
    }  # fmt: skip
    assert consumed["shop/alarm/read-consumed"] == 4_800
    assert consumed["shop/alarm/write-consumed"] == 480
    assert not [name for name in consumed if "/index/" in name]


SHOP = with_imports(
    """
    shop = kw.DynamoTable("shop", gsis=[kw.Gsi("by_buyer", pk="buyer")])


    class Order(BaseModel):
        __store__: ClassVar = kw.Item(shop, pk="ORDER#{order_id}", sk="ORDER")
        order_id: str
        buyer: str


    order = kw.Get(Order, rate="1/s", p99_ms=10)
    orders_of_buyer = kw.Read(Order, eq="buyer", limit=10, rate="1/s", p99_ms=50)
    all_of_buyer = kw.Read(Order, eq="buyer", limit=100, rate="1/s", p99_ms=200)
    place = kw.Put(Order, rate="1/s")
    """
)
STACK = """
config:
  keywright:environment:
    monitoring: {alarms: true}
    dynamodb: {flavour: dynamodb}
"""


def test_latencies_are_those_of_the_patterns_by_percentile(tmp_path: Path) -> None:
    settings = a_project(tmp_path, {"models/shop.py": SHOP, "stacks/Pulumi.dev.yaml": STACK})
    with imported_alone(tmp_path):
        resources = found(api.compile(api.load(str(settings.root)), "dev"))
    slow = {name: resource.inputs for name, resource in resources.items() if name.endswith("/slow")}
    assert {name: (entry["threshold"], entry["extendedStatistic"]) for name, entry in slow.items()} == {
        "shop/GetItem/alarm/slow": (10, "p99"), "shop/Query/alarm/slow": (200, "p99"),
    }  # fmt: skip
    assert not any("statistic" in entry for entry in slow.values())
    assert "shop/PutItem/alarm/system-errors" in resources


def test_nothing_is_told_by_means_or_bands(prod: Compiled) -> None:
    for stack_resource in found(prod).values():
        assert stack_resource.inputs.get("statistic") != "Average"
        assert stack_resource.inputs["comparisonOperator"] in ("GreaterThanThreshold", "LessThanThreshold")


def test_settings_move_and_silence(prod: Compiled) -> None:
    resources = found(saying(prod, "dynamodb", throttled=10, consumed_percent=50, latency=False, system_errors=None))
    assert resources["shop/alarm/read-throttled"].inputs["threshold"] == 10
    assert resources["messaging/alarm/read-consumed"].inputs["threshold"] == 0.5 * 260_000 * 60
    assert not [name for name in resources if name.endswith(("/slow", "/system-errors"))]


def test_errors_of_the_whole_account_are_told_when_asked_for(prod: Compiled) -> None:
    resource = found(saying(prod, "dynamodb", user_errors=5, name_prefix="eu-"))["dynamodb/alarm/user-errors"]
    assert (resource.within, resource.inputs["dimensions"], resource.inputs["threshold"]) == ("", {}, 5)
    assert resource.inputs["name"] == "eu-dynamodb/user-errors"


def test_a_table_whose_items_expire_tells_when_none_does(prod: Compiled) -> None:
    compiled = saying(prod, "dynamodb", ttl_silent_days=3)
    created = {name: resource.inputs for name, resource in found(compiled).items() if "/ttl-" in name}
    assert list(created) == [
        f"{target.declared.name}/alarm/ttl-silent" for target in compiled.targets if getattr(target.placed, "ttl", None)
    ]
    for entry in created.values():
        assert (entry["comparisonOperator"], entry["threshold"]) == ("LessThanThreshold", 1)
        assert (entry["period"], entry["evaluationPeriods"], entry["treatMissingData"]) == (86_400, 3, "breaching")


def test_they_tell_the_topic_also_when_it_is_over(prod: Compiled) -> None:
    for stack_resource in found(saying(prod, "dynamodb")).values():
        assert (stack_resource.inputs["alarmActions"], stack_resource.inputs["okActions"]) == ([TOPIC], [TOPIC])
    silent = saying(prod, "dynamodb", monitoring=Monitoring(alarms=True))
    assert not any("alarmActions" in entry.inputs for entry in found(silent).values())


def test_there_are_none_unless_the_environment_wants_them(prod: Compiled) -> None:
    assert found(saying(prod, "dynamodb", monitoring=Monitoring())) == {}
    assert found(saying(prod, "dynamodb", flavour="dynamodb-local")) == {}
    dev = api.compile(prod.project, "dev")
    assert [path for path in files(dev) if "alarms" in path] == []


def served_by(compiled: Compiled, engine: str, flavour: str, **told: Any) -> dict[str, StackResource]:
    """The alarms of an engine by another flavour, of the same targets: the example needs what services lack."""
    part: Any = replace(compiled.environment.of(engine), flavour=flavour, **told)  # type: ignore[type-var]
    environment = replace(compiled.environment, engines={**compiled.environment.engines, engine: part})
    return found(replace(compiled, environment=environment), engine)


def test_each_node_of_a_service_tells_its_own(prod: Compiled) -> None:
    servers = {"sessions": ServerSettings(nodes=("s-0001-001",)), "shop-cache": ServerSettings(nodes=("c-0001-001",))}
    resources = served_by(prod, "redis", "elasticache", servers=servers)
    assert {name for name in resources if name.startswith("sessions")} == {
        f"sessions/s-0001-001/alarm/{name}"
        for name in ("evictions", "memory-full", "cpu-full", "swaps", "clients-full")
    }
    assert resources["shop-cache/c-0001-001/alarm/hits-few"].inputs["dimensions"] == {"CacheClusterId": "c-0001-001"}
    assert resources["sessions/s-0001-001/alarm/clients-full"].inputs["threshold"] == 58_500
    resources = served_by(prod, "redis", "memorydb", servers=servers)
    assert resources["sessions/s-0001-001/alarm/evictions"].inputs["dimensions"] == {
        "ClusterName": "s", "NodeName": "s-0001-001",
    }  # fmt: skip
    assert "shop-cache/c-0001-001/alarm/hits-few" not in resources


def test_a_serverless_cache_tells_what_it_does_not_take(prod: Compiled) -> None:
    servers = {"shop-cache": ServerSettings(nodes=("shop",))}
    resources = served_by(prod, "redis", "elasticache-serverless", servers=servers)
    assert set(resources) == {f"shop-cache/shop/alarm/{name}" for name in ("evictions", "throttled", "hits-few")}
    assert resources["shop-cache/shop/alarm/throttled"].inputs["dimensions"] == {"clusterId": "shop"}


def test_tables_in_keyspaces_tell_by_operation(prod: Compiled) -> None:
    resources = served_by(prod, "cassandra", "keyspaces")
    inputs = resources["netflix.viewing_history/select/alarm/slow"].inputs
    assert (inputs["namespace"], inputs["extendedStatistic"], inputs["threshold"]) == ("AWS/Cassandra", "p99", 50)
    assert inputs["dimensions"] == {"Keyspace": "netflix", "TableName": "viewing_history", "Operation": "SELECT"}
    written = resources["netflix.viewing_history/insert/alarm/write-throttled"].inputs
    assert (written["metricName"], written["threshold"]) == ("WriteThrottleEvents", 0)


def test_instances_of_documentdb_tell_their_lag_in_milliseconds(prod: Compiled) -> None:
    alerts = MongoAlerts(connections=Threshold(900))
    resources = served_by(prod, "mongodb", "documentdb", instances=("shop-1",), alerts=alerts)
    assert {name: resource.inputs["threshold"] for name, resource in resources.items()} == {
        "documentdb/shop-1/alarm/lags": 10_000,
        "documentdb/shop-1/alarm/cache-misses": 90,
        "documentdb/shop-1/alarm/connections-full": 900,
    }


def test_the_requests_are_ones_that_the_client_of_aws_takes(prod: Compiled) -> None:
    client = boto3.client("cloudwatch", region_name="eu-west-1")
    shape = client.meta.service_model.operation_model("PutMetricAlarm").input_shape
    document = json.loads(files(prod)["monitoring/dynamodb.alarms.json"])
    assert len(document) == len(found(prod))
    for entry in document:
        assert ParamValidator().validate(entry, shape).generate_report() == ""
