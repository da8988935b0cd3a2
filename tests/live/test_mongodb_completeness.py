"""What the planner calls not served, no index of a real server serves alone: each is tried by hint, and explained."""

from collections.abc import Iterator
from contextlib import ExitStack
from random import Random
from typing import Any

import pytest
from hypothesis import given
from tests.live.conftest import Start
from tests.live.drawn import drawn
from tests.projects import STACK, a_project, imported_alone
from tests.properties.patterned import model_file

from keywright import api
from keywright.access.query import Query, request
from keywright.api.live.local_servers import instance_of
from keywright.api.prove.datasets import datasets_of
from keywright.api.prove.scratch import Server, drop, environment, new_prefix, scratch
from keywright.compiler import plan_access
from keywright.drivers.mongodb import driver as mongodb
from keywright.migrations.run.runner import run
from keywright.prove.answer import matching
from keywright.prove.choose import choose
from keywright.prove.dataset import Dataset, items
from keywright.prove.values import reading
from keywright.runtime.validate.arguments import Arguments

pytestmark = pytest.mark.live

MODELS, PATTERNS = 8, 40
ASKED = ("equals", "one_of", "between", "at_least", "below")
"""Conditions that are put to the server as they are; null and lists have their own rules."""


def test_no_index_alone_serves_what_is_not_served(start: Start, tmp_path_factory: pytest.TempPathFactory) -> None:
    running = start("mongodb")
    tried = 0

    @drawn(MODELS)
    @given(source=model_file("mongodb", PATTERNS))
    def check(source: str) -> None:
        nonlocal tried
        folder = tmp_path_factory.mktemp("complete")
        with imported_alone(folder), ExitStack() as stack, mongodb.client(running.url) as client:
            a_project(folder, {"models/things.py": source, "stacks/Pulumi.dev.yaml": STACK})
            compiled = api.compile(api.load(str(folder)))
            server = Server(instance_of(compiled.targets[0]), running.url, running.version)
            placed, errors = api.try_compile(
                compiled.project, environment(compiled.environment, [server], new_prefix())
            )
            assert errors == []
            driver = stack.enter_context(scratch(server, set()))
            (target,) = placed.targets
            stack.callback(drop, driver, [target])
            run(target.engine.create(target.placed), driver)
            plan = plan_access(placed)
            ((dataset, _),) = datasets_of(plan, [target], scale=120, seed=1).values()
            driver.load(target.engine.object_of(target.placed, dataset.binding), items(dataset))
            collection = client[target.placed.name]["things"]
            for row in plan.rows:
                if not row.planned.is_served and row.pattern.kind in ("read", "count"):
                    query = request(row.pattern)
                    if all(condition.kind in ASKED for condition in query.conditions) and (
                        query.conditions or query.order
                    ):
                        tried += 1
                        found = list(serving(collection, query, dataset))
                        assert found == [], f"{source}\n{row.pattern.name}: {row.planned.path}\n{found}"

    check()
    assert tried > 40


def serving(collection: Any, query: Query, dataset: Dataset) -> Iterator[str]:
    """Indexes by which the server finds exactly what several calls ask, in order, looking at nothing else."""
    read = reading(dataset.binding)
    calls = [values.given for values in choose(query, dataset.instances, read, Random(1))]
    # A partial index may hold all that these few calls find, and not what others would.
    names = [name for name, entry in collection.index_information().items() if "partialFilterExpression" not in entry]
    for name in names:
        verdicts = [alone(collection, name, query, call, dataset) for call in calls]
        if verdicts and all(verdict is not False for verdict in verdicts) and any(verdicts):
            yield name


def alone(collection: Any, index: str, query: Query, arguments: Arguments, dataset: Dataset) -> bool | None:
    """Whether one call is served by an index alone; None where so little is found that nothing can be told."""
    read = reading(dataset.binding)
    expected = matching(dataset.instances, query, arguments, read)
    if not 3 <= len(expected) < len(dataset.instances) * 0.9:
        return None
    where: dict[str, Any] = {}
    for condition in query.conditions:
        where.setdefault(stored(collection, condition.field), {}).update(
            _tests(condition.kind, arguments.of(condition))
        )
    find: dict[str, Any] = {"find": collection.name, "filter": where, "hint": index}
    if query.order:
        find["sort"] = {
            stored(collection, ordering.field): -1 if ordering.is_descending else 1 for ordering in query.order
        }
    command: Any = collection.database.command({"explain": find, "verbosity": "executionStats"})
    stages = list(_stages(command["queryPlanner"]["winningPlan"]))
    stats = command["executionStats"]
    is_plain = not any(stage["stage"] in ("COLLSCAN", "SORT") or "filter" in stage for stage in stages)
    is_exact = stats["nReturned"] == stats["totalDocsExamined"] == len(expected)
    # One key more is looked at where a scan ends, and one for each value that is skipped to.
    is_narrow = stats["totalKeysExamined"] <= len(expected) + 1
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
