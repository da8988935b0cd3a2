"""Looking at live stores: slowly, for a time, as far as one may; told by servers that nobody has to start."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.projects import a_project, imported_alone, with_imports

from keywright import api
from keywright.api import observe as observing
from keywright.api.observe import Look, Looked, observe
from keywright.api.sites import Where
from keywright.engines.flaws.observation import Sample
from keywright.engines.interface import StatementFailed
from keywright.engines.observer import Observer, Taken, Works
from keywright.errors import Unavailable
from keywright.history.throttle import Clock
from keywright.runtime import codec_of

MODELS = with_imports(
    """
    shop = kw.DynamoTable("shop")

    class Order(BaseModel):
        __store__: ClassVar = kw.Item(shop, pk="ORDER#{order_id}", sk="ORDER")
        order_id: str
        tags: list[str] = []

    class User(BaseModel):
        __store__: ClassVar = kw.Item(shop, pk="USER#{user_id}", sk="USER")
        user_id: str
    """
)


@dataclass
class Time:
    """A clock that only sleeping moves."""

    now: float = 100
    slept: list[float] = field(default_factory=list)

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.slept.append(seconds)


class Server:
    """A server that holds pages of items, and refuses what it is told to."""

    def __init__(self, compiled: api.Compiled, pages: list[tuple[Taken, ...]], **refused: str) -> None:
        self.compiled, self.pages, self.refused = compiled, pages, refused
        self.asked: list[int] = []

    def _ask(self, what: str) -> None:
        if words := self.refused.get(what):
            raise StatementFailed(words)

    def introspect(self, names: list[str]) -> Mapping[str, Any]:
        self._ask("introspect")
        return {one.placed.name: one.engine.describe(one.placed) for one in self.compiled.targets}

    def sample(self, name: str, works: Works, limit: int) -> Iterator[tuple[Taken, ...]]:
        self._ask("sample")
        self.asked.append(limit)
        yield from self.pages

    def count(self, name: str) -> int:
        self._ask("count")
        return 5000

    def figures(self) -> Mapping[str, float]:
        self._ask("figures")
        return {"connections": 3}

    @property
    def driver(self) -> Any:
        observer = Observer(sample=self.sample, count=self.count, figures=self.figures)
        return SimpleNamespace(introspect=self.introspect, observer=lambda: observer)


@pytest.fixture
def compiled(tmp_path: Path) -> Iterator[api.Compiled]:
    with imported_alone(tmp_path):
        yield api.compile(api.load(str(a_project(tmp_path, MODELS).root)), "dev")


def look_at(server: Server, monkeypatch: pytest.MonkeyPatch, time: Time | None = None, **options: Any) -> Looked:
    @contextmanager
    def opened(where: Where, stores: set[str]) -> Iterator[Mapping[str, Any]]:
        yield {store: SimpleNamespace(driver=server.driver) for store in stores}

    monkeypatch.setattr(observing, "opened", opened)
    compiled, time = server.compiled, time or Time()
    where = Where(compiled.project.settings, "dev", is_local=False)
    look = Look(clock=Clock(lambda: time.now, time.sleep), **options)
    return observe(where, compiled.project, compiled, look)


def orders(compiled: api.Compiled, count: int) -> tuple[Taken, ...]:
    model: Any = compiled.project.models["Order"]
    codec = codec_of(model)
    items = [codec.to_items(model(order_id=str(number)))[0] for number in range(count)]
    return tuple(Taken(entity="Order", item=item, bytes=40, version=1) for item in items)


def test_items_are_told_by_their_share(compiled: api.Compiled, monkeypatch: pytest.MonkeyPatch) -> None:
    stray = Taken(entity="", item={"pk": {"S": "?"}}, bytes=9)
    user = Taken(entity="User", item={"user_id": {"S": "u"}}, bytes=20, version=1)
    server = Server(compiled, [(*orders(compiled, 6), user), (user, user, stray)])
    (seen,) = look_at(server, monkeypatch, sample=10).seen
    assert server.asked == [10]
    assert seen.found.items["Order"].sample == Sample(6, 3000, "item")
    assert seen.found.items["User"].sample == Sample(3, 1500, "item")
    assert str(seen.found.items["User"].sample) == "of 3 items sampled (of about 1,500)"
    assert seen.found.strays == {"shop": (1, Sample(10, 5000, "item"))}
    assert seen.found.figures == {"connections": 3}
    assert seen.found.unseen == ()


def test_what_the_model_does_not_take_is_counted_without_its_values(
    compiled: api.Compiled, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = orders(compiled, 1)[0]
    wrong = replace(good, item={**good.item, "tags": {"L": [{"S": "a"}, {"N": "1"}]}})
    without = replace(good, item={name: value for name, value in good.item.items() if name != "order_id"})
    other = replace(good, version=7, item={})
    server = Server(compiled, [(good, wrong, without, without, other)])
    (seen,) = look_at(server, monkeypatch).seen
    items = seen.found.items["Order"]
    assert items.versions == {1: 4, 7: 1}
    assert items.misfits == {'"order_id": missing': 2, "a value is not of the type that is stored (KeyError)": 1}


def test_pages_have_pauses_between_them(compiled: api.Compiled, monkeypatch: pytest.MonkeyPatch) -> None:
    time = Time()
    look_at(Server(compiled, [orders(compiled, 100)] * 5), monkeypatch, time, rate=1000)
    assert time.slept == [pytest.approx(0.1)] * 5


def test_what_no_time_is_left_for_is_told(compiled: api.Compiled, monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server(compiled, [orders(compiled, 100)] * 50)
    (seen,) = look_at(server, monkeypatch, rate=100, seconds=2.5).seen
    assert seen.found.items["Order"].sample.read == 400
    assert seen.found.unseen == ("dynamodb shop: the time was up after 400 items",)


def test_what_is_refused_is_told_and_the_rest_is_looked_at(
    compiled: api.Compiled, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = Server(compiled, [orders(compiled, 3)], figures="no permission", count="not for you")
    (seen,) = look_at(server, monkeypatch).seen
    assert seen.found.items["Order"].sample == Sample(3, None, "item")
    assert seen.found.unseen == ("figures of dynamodb: no permission", "size of dynamodb: not for you")


def test_a_target_that_may_not_be_described_is_told(compiled: api.Compiled, monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server(compiled, [], introspect="AccessDenied")
    (seen,) = look_at(server, monkeypatch).seen
    assert (seen.live, seen.found.unseen) == (None, ("dynamodb shop: AccessDenied",))


def test_a_server_that_is_lost_ends_the_look(compiled: api.Compiled, monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server(compiled, [], sample="could not reach it: connection refused")
    with pytest.raises(Unavailable, match="could not reach it: connection refused"):
        look_at(server, monkeypatch)
