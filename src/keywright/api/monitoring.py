"""What is told of an environment: rule files of Prometheus, alarms of CloudWatch."""

from collections.abc import Sequence
from typing import Any

from keywright.compiler import AccessPlan, Compiled, Placed, plan_access
from keywright.engines.alarms import told
from keywright.engines.alerts import Watch
from keywright.engines.interface import Engine
from keywright.engines.registry import ENGINES
from keywright.engines.resource import Resource
from keywright.project.environment import Environment
from keywright.report import prometheus
from keywright.report.alarms import requests

FOLDER = "monitoring"
"""Where the files are, below `build/<environment>/`."""


def files(compiled: Compiled) -> dict[str, str]:
    """The files of an environment by path below the build folder: for each engine rules and their tests, or alarms."""
    plan, environment = plan_access(compiled), compiled.environment
    made: dict[str, str] = {}
    for engine in ENGINES:
        told_of = engine.name, engine.title, environment.name
        if watch := _watch(engine, compiled, plan):
            labels = environment.monitoring.labels
            made[f"{FOLDER}/{engine.name}.rules.yaml"] = prometheus.rules(*told_of, watch, labels)
            made[f"{FOLDER}/{engine.name}.rules.test.yaml"] = prometheus.tests(*told_of, watch, labels)
        if found := alarms(engine, compiled.targets, environment, plan):
            made[f"{FOLDER}/{engine.name}.alarms.json"] = requests(found)
    return made


def alarms(
    engine: Engine[Any, Any], targets: Sequence[Placed], environment: Environment, plan: AccessPlan
) -> tuple[Resource, ...]:
    """The alarms of an engine's targets as resources; none where the environment wants none."""
    part, own = environment.of(engine.name), [one for one in targets if one.engine is engine]
    if part is None or not environment.monitoring.alarms or getattr(part, "managed_by", "pulumi") != "pulumi":
        return ()
    found = engine.alarms({called(one): one.placed for one in own}, part, _planned(engine, plan))
    return tuple(told(one, environment.monitoring.topic) for one in found)


def called(one: Placed) -> str:
    """What a stack calls a target."""
    resources = one.engine.to_resources(one.declared.name, one.placed)
    return resources[0].name if resources else one.declared.name


def _watch(engine: Engine[Any, Any], compiled: Compiled, plan: AccessPlan) -> Watch | None:
    part, own = compiled.environment.of(engine.name), [one for one in compiled.targets if one.engine is engine]
    if part is None:
        return None
    return engine.watch({called(one): one.placed for one in own}, part, _planned(engine, plan))


def _planned(engine: Engine[Any, Any], plan: AccessPlan) -> list[Any]:
    return [row.planned for row in plan.rows if row.placed.engine is engine and row.planned.is_served]
