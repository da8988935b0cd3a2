"""Rule files of Prometheus: promtool takes them, and its own tests see each alert told and not told."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.projects import a_project, imported_alone, with_imports

from keywright import api
from keywright.api.monitoring import files
from keywright.compiler import Compiled
from keywright.engines.cassandra.declare.settings import CassandraAlerts
from keywright.engines.mongodb.declare.settings import MongoAlerts
from keywright.engines.redis.declare.settings import RedisAlerts
from keywright.project.environments.monitoring import Monitoring
from keywright.record import fields, replace

ROOT = Path(__file__).parents[2]
EXPECTED = ROOT / "tests" / "golden" / "monitoring"
ALERTS: dict[str, Any] = {"cassandra": CassandraAlerts, "mongodb": MongoAlerts, "redis": RedisAlerts}


def saying(compiled: Compiled, engine: str, **alerts: Any) -> Compiled:
    """The same with other thresholds of an engine."""
    environment = compiled.environment
    part: Any = environment.of(engine)
    output = replace(part, alerts=replace(part.alerts, **alerts))
    return replace(compiled, environment=replace(environment, engines={**environment.engines, engine: output}))


def run(promtool: Path, folder: Path, made: dict[str, str]) -> str:
    """What promtool says of all rule files, and of their tests; empty if all is well."""
    for path, text in made.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    rules = sorted(str(folder / path) for path in made if path.endswith(".rules.yaml"))
    tests = sorted(str(folder / path) for path in made if path.endswith(".rules.test.yaml"))
    said = ""
    for words in (["check", "rules", "--lint=all", "--lint-fatal", *rules], ["test", "rules", *tests]):
        done = subprocess.run([promtool, *words], capture_output=True, text=True, check=False)
        said += done.stdout + done.stderr if done.returncode else ""
    return said


def rules_of(made: dict[str, str], engine: str) -> list[dict[str, Any]]:
    (group,) = yaml.safe_load(made[f"monitoring/{engine}.rules.yaml"])["groups"]
    rules: list[dict[str, Any]] = group["rules"]
    return rules


def rule(made: dict[str, str], engine: str, name: str) -> dict[str, Any]:
    return next(entry for entry in rules_of(made, engine) if entry.get("alert") == name)


def test_the_worked_example_has_these_files(prod: Compiled, is_golden: Callable[[Path, str], bool]) -> None:
    created = files(prod)
    assert [path for path, text in created.items() if not is_golden(EXPECTED / Path(path).name, text)] == []
    assert {file.name for file in EXPECTED.iterdir()} == {Path(path).name for path in created}


@pytest.mark.parametrize("environment", ["dev", "staging", "prod"])
def test_promtool_takes_them_and_their_tests_pass(environment: str, promtool: Path, tmp_path: Path) -> None:
    assert run(promtool, tmp_path, files(api.compile(api.load(str(ROOT)), environment))) == ""


def _other(alerts: Any, at: int) -> dict[str, float]:
    """Every threshold of an engine at another value than its own."""
    return {
        field.name: ((1, 50, 99) if field.name.endswith("_percent") else (0, 0.5, 12_345))[at]
        for field in fields(alerts)
        if isinstance(field.default, (int, float)) and not isinstance(field.default, bool)
    }


def test_promtool_takes_them_at_any_threshold(prod: Compiled, promtool: Path, tmp_path: Path) -> None:
    created = {
        f"{at}/{path}": text
        for engine, alerts in ALERTS.items()
        for at in range(3)
        for path, text in files(saying(prod, engine, **_other(alerts, at))).items()
        if f"/{engine}.rules" in path
    }
    assert run(promtool, tmp_path, created) == ""


def test_every_alert_is_tested_when_it_is_told_and_when_it_is_not(prod: Compiled) -> None:
    created = files(prod)
    for engine in ALERTS:
        cases = yaml.safe_load(created[f"monitoring/{engine}.rules.test.yaml"])["tests"]
        requests = [
            (entry["alertname"], bool(entry["exp_alerts"]))
            for case in cases
            for entry in case.get("alert_rule_test", ())
        ]
        names = [entry["alert"] for entry in rules_of(created, engine) if "alert" in entry]
        assert sorted(requests) == sorted((name, is_told) for name in names for is_told in (True, False))


@pytest.mark.parametrize("engine", ALERTS)
@pytest.mark.parametrize("turned", [("> ", "< "), ("< ", "> ")], ids=["above", "below"])
def test_the_tests_see_a_rule_that_is_turned_round(
    engine: str, turned: tuple[str, str], prod: Compiled, promtool: Path, tmp_path: Path
) -> None:
    created = {path: text for path, text in files(prod).items() if f"/{engine}.rules" in path}
    path = f"monitoring/{engine}.rules.yaml"
    broken = re.sub(rf"{turned[0]}(?=[\d.]+'?$)", turned[1], created[path], flags=re.MULTILINE)
    assert broken != created[path] or (engine, turned[0]) == ("cassandra", "< ")
    if broken != created[path]:
        assert "FAILED" in run(promtool, tmp_path, {**created, path: broken})


def test_nothing_is_told_by_means_or_bands(prod: Compiled) -> None:
    created = files(prod)
    for engine in ALERTS:
        for entry in rules_of(created, engine):
            assert not re.search(r"\b(avg|stddev|predict_linear|quantile_over_time|avg_over_time)\b", entry["expr"])


def test_a_threshold_is_the_environments(prod: Compiled) -> None:
    assert rule(files(prod), "redis", "RedisEvicts")["expr"].endswith("> 0")
    created = files(saying(prod, "redis", evicted=500, hits_percent=97.5))
    assert rule(created, "redis", "RedisEvicts")["expr"].endswith("> 500")
    assert "more than 500 keys" in rule(created, "redis", "RedisEvicts")["annotations"]["summary"]
    assert rule(created, "redis", "RedisHitsFew")["expr"].endswith("< 97.5")


def test_null_tells_nothing(prod: Compiled) -> None:
    created = files(saying(prod, "mongodb", lag_seconds=None))
    assert "MongoDBLags" not in [entry.get("alert") for entry in rules_of(created, "mongodb")]
    assert "MongoDBLags" not in created["monitoring/mongodb.rules.test.yaml"]


VIEWS = with_imports(
    """
    netflix = kw.Keyspace("netflix")


    class View(BaseModel):
        __store__: ClassVar = kw.CqlTable(netflix, "views", partition=["viewer_id"], clustering=["-at"], ttl=None)
        viewer_id: str
        at: datetime


    last = kw.Read(View, eq="viewer_id", order="-at", limit=1, rate="1/s", p99_ms=5)
    recent = kw.Read(View, eq="viewer_id", order="-at", limit=100, rate="1/s", p99_ms=80)
    view = kw.Put(View, rate="1/s")
    """
)


def test_latencies_are_those_of_the_patterns(tmp_path: Path) -> None:
    settings = a_project(tmp_path, {"models/views.py": VIEWS})
    with imported_alone(tmp_path):
        compiled = api.compile(api.load(str(settings.root)), "dev")
    slow = [entry for entry in rules_of(files(compiled), "cassandra") if "Slow" in entry.get("alert", "")]
    assert [(entry["alert"], entry["expr"].rpartition(" > ")[2]) for entry in slow] == [("CassandraReadsSlow", "80")]
    quiet = rules_of(files(saying(compiled, "cassandra", latency=False)), "cassandra")
    assert not [entry for entry in quiet if "Slow" in entry.get("alert", "")]


def test_series_are_those_of_the_environment_alone(prod: Compiled) -> None:
    environment = replace(prod.environment, monitoring=Monitoring(labels={"env": "eu", "team": "shop"}))
    created = files(replace(prod, environment=environment))
    for engine in ALERTS:
        for entry in rules_of(created, engine):
            chosen = re.findall(r"\b(?:cassandra|mongodb|redis)_\w+(\{[^}]*\})?", entry["expr"])
            assert all(text.startswith('{env="eu", team="shop"') for text in chosen), entry
            assert "record" in entry or entry["labels"]["env"] == "eu"


def test_only_caches_are_to_find_something_and_only_what_persists_may_fail_to(prod: Compiled) -> None:
    created = files(prod)
    assert '{env="prod", server="shop-cache"}' in rule(created, "redis", "RedisHitsFew")["expr"]
    assert "shop-cache" not in rule(created, "redis", "RedisLogFailed")["expr"]
    assert "sessions" in rule(created, "redis", "RedisLogFailed")["expr"]


@pytest.mark.parametrize(
    ("engine", "flavour"),
    [("redis", "elasticache"), ("mongodb", "documentdb"), ("cassandra", "keyspaces"), ("cassandra", "scylla")],
)
def test_a_service_without_an_exporter_has_no_rules(engine: str, flavour: str, prod: Compiled) -> None:
    part: Any = replace(prod.environment.of(engine), flavour=flavour)  # type: ignore[type-var]
    environment = replace(prod.environment, engines={**prod.environment.engines, engine: part})
    assert f"monitoring/{engine}.rules.yaml" not in files(replace(prod, environment=environment))
