"""Generates the monitoring of an environment: Prometheus rule files and CloudWatch alarms."""

from collections.abc import Sequence
from typing import Any

from keywright.compiler import AccessPlan, Compiled, Placed, plan_access
from keywright.engines.contract.resource import StackResource
from keywright.engines.interface import Engine
from keywright.engines.monitoring.alarms import with_topic
from keywright.engines.monitoring.alerts import EngineAlerts
from keywright.engines.registry import engine_named, in_order
from keywright.project.environments.environment import Environment
from keywright.report import prometheus
from keywright.report.alarms import requests

FOLDER = "monitoring"
"""Folder of the files, below `build/<environment>/`."""


def files(compiled: Compiled) -> dict[str, str]:
    """The files of an environment by path below the build folder: each engine's rules with tests, and alarms."""
    plan, environment = plan_access(compiled), compiled.environment
    texts: dict[str, str] = {}
    for engine in map(engine_named, in_order(environment.engines)):
        title = engine.name, engine.title, environment.name
        if alerts := _alerts(engine, compiled, plan):
            labels = environment.monitoring.labels
            texts[f"{FOLDER}/{engine.name}.rules.yaml"] = prometheus.rules(*title, alerts, labels)
            texts[f"{FOLDER}/{engine.name}.rules.test.yaml"] = prometheus.tests(*title, alerts, labels)
        if resources := alarms(engine, compiled.targets, environment, plan):
            texts[f"{FOLDER}/{engine.name}.alarms.json"] = requests(resources)
    return texts


def alarms(
    engine: Engine[Any, Any], targets: Sequence[Placed], environment: Environment, plan: AccessPlan
) -> tuple[StackResource, ...]:
    """The alarms of an engine's targets as resources; none if the environment disables them."""
    part, own_targets = environment.of(engine.name), [target for target in targets if target.engine is engine]
    if part is None or not environment.monitoring.alarms or getattr(part, "managed_by", "pulumi") != "pulumi":
        return ()
    resources = engine.alarms(
        {resource_name(placed): placed.placed for placed in own_targets}, part, _planned(engine, plan)
    )
    return tuple(with_topic(resource, environment.monitoring.topic) for resource in resources)


def resource_name(placed: Placed) -> str:
    """Name of a target's resource in a stack."""
    resources = placed.engine.to_resources(placed.declared.name, placed.placed)
    return resources[0].name if resources else placed.declared.name


def _alerts(engine: Engine[Any, Any], compiled: Compiled, plan: AccessPlan) -> EngineAlerts | None:
    part = compiled.environment.of(engine.name)
    if part is None:
        return None
    targets = [target for target in compiled.targets if target.engine is engine]
    return engine.watch({resource_name(placed): placed.placed for placed in targets}, part, _planned(engine, plan))


def _planned(engine: Engine[Any, Any], plan: AccessPlan) -> list[Any]:
    return [row.planned for row in plan.rows if row.placed.engine is engine and row.planned.is_served]
