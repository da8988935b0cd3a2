"""Proofs on real servers: they prove, they bite, and they leave nothing behind."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.live.conftest import Start

from keywright import api
from keywright.api.live.local_servers import connected, local_instances
from keywright.api.prove.prove import ProofResult, evidence_on, prove_on, unproved
from keywright.api.prove.scratch import PREFIX, Server
from keywright.declare.answers import Page
from keywright.runtime.database import Database
from keywright.runtime.items import fill

pytestmark = pytest.mark.live
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def compiled() -> api.Compiled:
    return api.compile(api.load(str(ROOT)))


@pytest.fixture(scope="module")
def servers(start: Start, compiled: api.Compiled) -> list[Server]:
    """A server for everything that the example declares; one Redis stands for all of its servers."""
    running = {
        instance.engine: start(instance.engine, "proofs" if instance.engine == "redis" else instance.engine)
        for instance in local_instances(compiled)
    }
    return [
        Server(local_instance, running[local_instance.engine].url, running[local_instance.engine].version)
        for local_instance in local_instances(compiled)
    ]


def proved(compiled: api.Compiled, servers: Sequence[Server], *names: str) -> dict[str, ProofResult]:
    engines = {
        binding.engine
        for binding in compiled.project.design.bindings
        for pattern in compiled.project.design.patterns
        if pattern.name in names and binding.name in (pattern.binding, *(part.binding for part in pattern.parts))
    }
    expected = [server for server in servers if server.instance.engine in engines]
    results = prove_on(compiled.project, compiled, expected, scale=200, selected=names)
    return {result.row.pattern.name: result for result in results}


def problems(results: dict[str, ProofResult]) -> dict[str, list[str]]:
    return {name: result.proof.problems if result.proof else ["no proof"] for name, result in results.items()}


ORDERED = ("messages", "posts_of_user", "reported_orders_of_user", "top_ten")
"""Patterns of every engine whose order is wanted."""


def test_what_the_matrix_says_is_proved(compiled: api.Compiled, servers: list[Server]) -> None:
    results = proved(compiled, servers, *ORDERED, "stock_left", "device_readings")
    assert not any(problems(results).values()), problems(results)
    assert list(unproved(results.values())) == []


@contextmanager
def texts_without(which: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Where several keys are asked, every second of them is forgotten."""
    full, values = fill.texts, fill.alternatives

    def dropping(made: Any) -> Any:
        def some(given: Any) -> list[Any]:
            result = made(given)
            return [entry for at, entry in enumerate(result) if at % 2 != which] if len(result) > 1 else result

        return some

    with monkeypatch.context() as patch:
        for engine in ("dynamodb", "cassandra"):
            for module in _modules(engine):
                if getattr(module, "texts", None) is full:
                    patch.setattr(module, "texts", lambda *args, **kwargs: dropping(full(*args, **kwargs)))
                if getattr(module, "alternatives", None) is values:
                    patch.setattr(module, "alternatives", lambda *args, **kwargs: dropping(values(*args, **kwargs)))
        patch.setattr(fill, "texts", lambda *args, **kwargs: dropping(full(*args, **kwargs)))
        patch.setattr(fill, "alternatives", lambda *args, **kwargs: dropping(values(*args, **kwargs)))
        yield


def _modules(engine: str) -> list[Any]:
    import sys

    return [module for name, module in sys.modules.items() if name.startswith(f"keywright.runtime.{engine}")]


@pytest.mark.parametrize("name", ["stock_left", "device_readings", "week_of_sensor"])
def test_a_forgotten_shard_or_bucket_turns_the_line_red(
    compiled: api.Compiled, servers: list[Server], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    assert not problems(proved(compiled, servers, name))[name]  # and what it calls is imported before it is changed
    output = []
    for which in range(2):
        with texts_without(which, monkeypatch):
            output += problems(proved(compiled, servers, name))[name]
    assert any("missing" in problem or "holds" in problem for problem in output), output


def test_one_forgotten_shard_of_ten_turns_the_line_red_wherever_it_holds_something(
    compiled: api.Compiled, servers: list[Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    from keywright.runtime.dynamodb.execute import key_ranges

    values_of = key_ranges.values_of

    def without(number: int) -> Any:
        def made(*args: Any, **kwargs: Any) -> Any:
            values = values_of(*args, **kwargs)
            return lambda given: [value for at, value in enumerate(values(given)) if at != number]

        return made

    red = []
    for number in range(10):
        with monkeypatch.context() as patch:
            patch.setattr(key_ranges, "values_of", without(number))
            stock_left = problems(proved(compiled, servers, "stock_left"))["stock_left"]
        red += [number] if any("missing" in problem or "holds" in problem for problem in stock_left) else []
    assert len(red) >= 5, red  # as many as the busiest key's items are spread over, at least


@pytest.mark.parametrize("name", ORDERED)
def test_a_wrong_order_turns_the_line_red(
    compiled: api.Compiled, servers: list[Server], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    run = Database.run

    def backwards(self: Database, *args: Any, **kwargs: Any) -> Any:
        answer = run(self, *args, **kwargs)
        return Page(answer.items[::-1], answer.cursor) if isinstance(answer, Page) else answer

    monkeypatch.setattr(Database, "run", backwards)
    output = problems(proved(compiled, servers, name))[name]
    assert any("wrong order" in problem for problem in output), output


@pytest.mark.parametrize("name", ORDERED)
def test_an_omitted_item_turns_the_line_red(
    compiled: api.Compiled, servers: list[Server], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    run = Database.run

    def fewer(self: Database, *args: Any, **kwargs: Any) -> Any:
        answer = run(self, *args, **kwargs)
        return Page(answer.items[1:], answer.cursor) if isinstance(answer, Page) else answer

    monkeypatch.setattr(Database, "run", fewer)
    output = problems(proved(compiled, servers, name))[name]
    assert any("missing" in problem or "holds" in problem for problem in output), output


@pytest.mark.parametrize("name", ["change_status", "touch_session", "comment", "remember_point"])
def test_a_write_that_does_nothing_turns_the_line_red(
    compiled: api.Compiled, servers: list[Server], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(Database, "run", lambda self, *args, **kwargs: None)
    output = problems(proved(compiled, servers, name))[name]
    assert any("stored" in problem for problem in output), output


def test_nothing_is_left_behind(compiled: api.Compiled, servers: list[Server]) -> None:
    proved(compiled, servers, *ORDERED)
    for server in servers:
        if server.instance.engine != "redis":
            with connected(server) as driver:
                assert [name for name in driver.names() if name.startswith(PREFIX)] == []


def test_without_data_of_its_own_there_is_evidence_alone(compiled: api.Compiled, servers: list[Server]) -> None:
    expected = [server for server in servers if server.instance.engine == "mongodb"]
    results = evidence_on(compiled.project, compiled, expected, selected=["posts_of_author", "write_post"])
    read, write = results
    assert read.proof is not None
    assert not read.proof.is_compared
    assert write.proof is None
    assert write.skipped == "writes are proved only with --load"
