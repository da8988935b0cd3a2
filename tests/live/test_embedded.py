"""Parts that are dataclasses of Pydantic, and parts that stand below the class that holds them, on every engine."""

from pathlib import Path

import pytest
from tests.live.conftest import Start
from tests.projects import STACK, a_project, imported_alone

from keywright import api
from keywright.api.live.local_servers import instance_of
from keywright.api.prove.prove import prove_on
from keywright.api.prove.scratch import Server

pytestmark = pytest.mark.live

MODELS = """
from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import AwareDatetime, BaseModel, Field
from pydantic.dataclasses import dataclass

import keywright as kw

{physical}


class Customer(BaseModel):
    __store__: ClassVar = {store}

    customer_id: Annotated[str, Field(pattern="^[a-z0-9]{{1,8}}$")]
    address: Address
    visits: Annotated[list[Visit], Field(max_length=3)]
    former: Address | None = None


@dataclass
class Address:
    city: Annotated[str, Field(max_length=10)]
    country: Country
    lines: Annotated[list[str], Field(max_length=2)] = Field(default_factory=list)


class Country(BaseModel):
    code: Annotated[str, Field(max_length=2)]
    since: AwareDatetime | None = None


@dataclass(frozen=True)
class Visit:
    at: AwareDatetime
    seconds: Annotated[int, Field(ge=0, le=100)] = 0


customer = kw.Get(Customer, eq="customer_id")
put_customer = kw.Put(Customer)
"""

UPDATES = """
move = kw.Update(Customer, sets=["address", "former", "visits"])
forget = kw.Update(Customer, unset="former")
"""

STORES = {
    "dynamodb": ('shop = kw.DynamoTable("shop", sk=None)', 'kw.Item(shop, pk="CUSTOMER#{customer_id}")'),
    "mongodb": ('shop = kw.MongoDatabase("shop")', 'kw.Collection(shop, "customers", id="{customer_id}")'),
    "cassandra": ('shop = kw.Keyspace("shop")', 'kw.CqlTable(shop, "customers", partition="customer_id")'),
    "redis": ('shop = kw.RedisServer("shop", role="primary")', 'kw.RedisHash(shop, key="customer:{customer_id}")'),
}


@pytest.mark.parametrize("engine", STORES)
def test_parts_are_stored_and_read_back(engine: str, start: Start, tmp_path: Path) -> None:
    physical, store = STORES[engine]
    source = MODELS.format(physical=physical, store=store) + (UPDATES if engine != "redis" else "")
    running = start(engine, "shop" if engine == "redis" else engine)
    stack = STACK.replace("cassandra}", "cassandra, datacentres: {datacenter1: 1}}")
    with imported_alone(tmp_path):
        a_project(tmp_path, {"models/case.py": source, "stacks/Pulumi.dev.yaml": stack})
        project = api.load(str(tmp_path))
        compiled = api.compile(project)
        instance = instance_of(compiled.targets[0])
        results = prove_on(project, compiled, [Server(instance, running.url, running.version)], scale=30)
    assert len(results) == len(project.design.patterns)
    problems = {
        result.row.pattern.name: result.proof.problems if result.proof else ["not served"] for result in results
    }
    assert not any(problems.values()), problems
