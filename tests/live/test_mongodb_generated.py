"""Whatever pattern of whatever model is called served: a mongod that refuses scans answers as Python does.

KEYWRIGHT_DRAWN_MODELS is how many models are drawn, KEYWRIGHT_DRAWN_SEED by what; what fails names both.
"""

import os
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from pymongo import MongoClient
from tests.engines.mongodb.designs import design_of
from tests.live import mongodb_drawn

from keywright import runtime
from keywright.access.path import AccessPath
from keywright.access.query import request
from keywright.access.search import Planned, plan
from keywright.drivers.mongodb import driver as driver_of
from keywright.engines.interface import Driver, Observed
from keywright.engines.mongodb.engine import ENGINE
from keywright.errors import UsageError
from keywright.local import Running
from keywright.migrations.run.runner import run
from keywright.prove.answer import matching, misplaced, surplus
from keywright.prove.values import reading
from keywright.record import replace
from keywright.runtime.items.codec import Codec
from keywright.runtime.mongodb.execute import prepare
from keywright.runtime.validate.arguments import Arguments

pytestmark = pytest.mark.live

MODELS = int(os.environ.get("KEYWRIGHT_DRAWN_MODELS", "30"))
SEED = int(os.environ.get("KEYWRIGHT_DRAWN_SEED", "4"))
THINGS, PATTERNS, CALLS = 90, 28, 2


def test_whatever_is_called_served_is_answered_as_python_does(start: Callable[..., Running]) -> None:
    url = start("mongodb").url
    driver = driver_of.connect(url)
    observed = driver.observe()
    with MongoClient[dict[str, Any]](url) as admin:
        admin.admin.command({"setParameter": 1, "notablescan": True})
        try:
            served = sum(_model(driver, observed, seed) for seed in range(SEED * 1000, SEED * 1000 + MODELS))
        finally:
            admin.admin.command({"setParameter": 1, "notablescan": False})
            driver.close()
    assert served >= 10 * MODELS


def _model(driver: Driver, observed: Observed, seed: int) -> int:
    """How many patterns of one drawn model were served, each of them rightly."""
    rng = Random(seed)
    indexes = [mongodb_drawn.index(rng) for _ in range(rng.choice([2, 4, 6]))]
    cls = mongodb_drawn.model(rng, indexes)
    design = design_of(cls, *(mongodb_drawn.pattern(rng, cls, indexes) for _ in range(PATTERNS)))
    if list(ENGINE.check(design)):
        return 0  # such as an index over two lists
    (declared,), (binding,) = ENGINE.lower(design), design.bindings
    target = ENGINE.place(declared, ENGINE.localise(None, "6.0"))
    driver.drop([target.name])
    run(ENGINE.create(target), driver)
    codec = runtime.codec_of(cls)
    data = [mongodb_drawn.instance(rng, cls, key) for key in range(THINGS)]
    driver.load(ENGINE.object_of(target, binding), [codec.to_items(entry)[0] for entry in data])
    planned = [plan(ENGINE, target, binding, pattern) for pattern in design.patterns]
    served = [entry for entry in planned if entry.is_served]
    for entry in served:
        for _ in range(CALLS):
            assert _wrong(entry, codec, data, observed, rng) == [], f"seed {seed}: {_words(entry)}"
    return len(served)


def _wrong(planned: Planned[Any], codec: Codec[Any], data: list[Any], observed: Observed, rng: Random) -> list[str]:
    """What is wrong with the answer of one call over all its pages, or with the evidence."""
    query, read = request(planned.pattern, ENGINE.key_fields(planned.target, planned.binding)), reading(planned.binding)
    arguments = Arguments(mongodb_drawn.values(rng, query.conditions, data, read), limit=planned.pattern.limit)
    call = prepare(planned, {planned.binding.name: codec})
    items: list[Any] = []
    wrong: list[str] = []
    cursor: str | None = None
    while True:
        observed.events()
        try:
            page = call(observed.client, replace(arguments, cursor=cursor))
        except UsageError:
            return []  # null where the index does not hold it in order
        items += page
        wrong += ENGINE.verify_evidence(planned, observed.events(), len(page))
        cursor = page.cursor
        if cursor is None:
            break
    extra, missing = surplus(items, matching(data, query, arguments, read))
    wrong += [f"{len(extra)} surplus, {len(missing)} missing"] if extra or missing else []
    full = all(read(item, ordering.field) for item in items for ordering in query.order)  # Python has no order of None
    place = misplaced(items, query.order, read) if full else None
    return [*wrong, *filter(None, [place]), *([str(arguments.values)] if wrong else [])]


def _words(planned: Planned[Any]) -> str:
    assert isinstance(planned.path, AccessPath)
    query = request(planned.pattern)
    keys = [
        index.keys
        for collection in planned.target.collections
        for index in collection.indexes
        if index.name == planned.path.by.name
    ]
    return f"{[*map(str, query.conditions)]} in order {planned.pattern.order} by {planned.path.by} {keys}"
