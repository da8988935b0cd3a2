"""What the planner calls not served, no index of a real server serves alone: each is tried by hint, and explained."""

from collections.abc import Iterator
from contextlib import ExitStack
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from tests.live.conftest import Start
from tests.projects import STACK, a_project, imported_alone
from tests.properties.patterned import model_file

from keywright import api
from keywright.access.request import Request, request
from keywright.api.live import instance_of
from keywright.api.scratch import Server, drop, environment, fresh_prefix, scratch
from keywright.api.worlds import worlds
from keywright.compiler import plan_access
from keywright.drivers import mongodb
from keywright.history.runner import run
from keywright.prove.answer import matching
from keywright.prove.choose import choose
from keywright.prove.values import reading
from keywright.prove.world import World, items
from keywright.runtime.given import Given

pytestmark = pytest.mark.live

MODELS, PATTERNS = 8, 40
ASKED = ("equals", "one_of", "between", "at_least", "below")
"""Conditions that are put to the server as they are; null and lists have their own rules."""


def test_no_index_alone_serves_what_is_not_served(start: Start, tmp_path_factory: pytest.TempPathFactory) -> None:
    running = start("mongodb")
    tried = 0

    @settings(max_examples=MODELS, derandomize=True, deadline=None, database=None, phases=[Phase.generate],
              suppress_health_check=list(HealthCheck))  # fmt: skip
    @given(source=model_file("mongodb", PATTERNS))
    def check(source: str) -> None:
        nonlocal tried
        folder = tmp_path_factory.mktemp("complete")
        with imported_alone(folder), ExitStack() as stack, mongodb.client(running.url) as client:
            a_project(folder, {"models/things.py": source, "stacks/Pulumi.dev.yaml": STACK})
            compiled = api.compile(api.load(str(folder)))
            server = Server(instance_of(compiled.targets[0]), running.url, running.version)
            placed, errors = api.try_compile(
                compiled.project, environment(compiled.environment, [server], fresh_prefix())
            )
            assert errors == []
            driver = stack.enter_context(scratch(server, set()))
            (target,) = placed.targets
            stack.callback(drop, driver, [target])
            run(target.engine.create(target.placed), driver)
            plan = plan_access(placed)
            ((made, _),) = worlds(plan, [target], scale=120, seed=1).values()
            driver.load(target.engine.object_of(target.placed, made.binding), items(made))
            collection = client[target.placed.name]["things"]
            for row in plan.rows:
                if not row.planned.is_served and row.pattern.kind in ("read", "count"):
                    asked = request(row.pattern)
                    if all(one.how in ASKED for one in asked.asked) and (asked.asked or asked.order):
                        tried += 1
                        found = list(serving(collection, asked, made))
                        assert found == [], f"{source}\n{row.pattern.name}: {row.planned.path}\n{found}"

    check()
    assert tried > 40


def serving(collection: Any, asked: Request, made: World) -> Iterator[str]:
    """Indexes by which the server finds exactly what several calls ask, in order, looking at nothing else."""
    read = reading(made.binding)
    calls = [one.given for one in choose(asked, made.instances, read, Random(1))]
    # A partial index may hold all that these few calls find, and not what others would.
    whole = [name for name, one in collection.index_information().items() if "partialFilterExpression" not in one]
    for name in whole:
        verdicts = [alone(collection, name, asked, given, made) for given in calls]
        if verdicts and all(verdict is not False for verdict in verdicts) and any(verdicts):
            yield name


def alone(collection: Any, index: str, asked: Request, given: Given, made: World) -> bool | None:
    """Whether one call is served by an index alone; None where so little is found that nothing can be told."""
    read = reading(made.binding)
    wanted = matching(made.instances, asked, given, read)
    if not 3 <= len(wanted) < len(made.instances) * 0.9:
        return None
    where: dict[str, Any] = {}
    for one in asked.asked:
        where.setdefault(stored(collection, one.field), {}).update(_tests(one.how, given.of(one)))
    find: dict[str, Any] = {"find": collection.name, "filter": where, "hint": index}
    if asked.order:
        find["sort"] = {stored(collection, one.field): -1 if one.is_descending else 1 for one in asked.order}
    told: Any = collection.database.command({"explain": find, "verbosity": "executionStats"})
    stages = list(_stages(told["queryPlanner"]["winningPlan"]))
    stats = told["executionStats"]
    is_plain = not any(stage["stage"] in ("COLLSCAN", "SORT") or "filter" in stage for stage in stages)
    is_exact = stats["nReturned"] == stats["totalDocsExamined"] == len(wanted)
    # One key more is looked at where a scan ends, and one for each value that is skipped to.
    is_narrow = stats["totalKeysExamined"] <= len(wanted) + 1
    return is_plain and is_exact and is_narrow


def stored(collection: Any, field: str) -> str:
    """Where a field is stored: one that is the whole key stands there alone."""
    return field if field in collection.find_one() else "_id"


def _tests(how: str, values: tuple[Any, ...]) -> dict[str, Any]:
    match how:
        case "equals":
            return {"$eq": values[0]}
        case "one_of":
            return {"$in": list(values)}
        case "at_least":
            return {"$gte": values[0]}
        case "below":
            return {"$lt": values[0]}
        case _:
            return {name: end for name, end in zip(("$gte", "$lte"), values, strict=True) if end is not None}


def _stages(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    plan = plan.get("queryPlan", plan)
    yield plan
    for inner in (*plan.get("inputStages", ()), *([plan["inputStage"]] if "inputStage" in plan else [])):
        yield from _stages(inner)
