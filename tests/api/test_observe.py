"""Observing live stores, with pauses, a time limit and missing permissions; by servers in memory."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.projects import a_project, imported_alone, with_imports

from keywright import api
from keywright.api.live import observe as observing
from keywright.api.live.connect import StoreSelector
from keywright.api.live.observe import LiveCheck, LiveCheckOptions, observe
from keywright.engines.contract.observer import Observer, SampledItem, Works
from keywright.engines.findings.observation import SampleSize
from keywright.engines.interface import ServerUnreachable, StatementFailed
from keywright.errors import Unavailable
from keywright.migrations.backfill.throttle import Clock
from keywright.record import replace
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
    """A clock that advances only by sleeping."""

    now: float = 100
    slept: list[float] = field(default_factory=list)

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.slept.append(seconds)


class Server:
    """A server with pages of items, which rejects given reads."""

    def __init__(
        self, compiled: api.Compiled, pages: list[tuple[SampledItem, ...]], **refused: str | StatementFailed
    ) -> None:
        self.compiled, self.pages, self.refused = compiled, pages, refused
        self.requested: list[int] = []

    def _ask(self, what: str) -> None:
        if failure := self.refused.get(what):
            raise failure if isinstance(failure, StatementFailed) else StatementFailed(failure)

    def introspect(self, names: list[str]) -> Mapping[str, Any]:
        self._ask("introspect")
        return {target.placed.name: target.engine.describe(target.placed) for target in self.compiled.targets}

    def sample(self, name: str, works: Works, limit: int) -> Iterator[tuple[SampledItem, ...]]:
        self._ask("sample")
        self.requested.append(limit)
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


def look_at(server: Server, monkeypatch: pytest.MonkeyPatch, time: Time | None = None, **options: Any) -> LiveCheck:
    @contextmanager
    def opened(where: StoreSelector, stores: set[str]) -> Iterator[Mapping[str, Any]]:
        yield {store: SimpleNamespace(driver=server.driver) for store in stores}

    monkeypatch.setattr(observing, "opened", opened)
    compiled, time = server.compiled, time or Time()
    where = StoreSelector(compiled.project.settings, "dev", is_local=False)
    look = LiveCheckOptions(clock=Clock(lambda: time.now, time.sleep), **options)
    return observe(where, compiled.project, compiled, look)


def orders(compiled: api.Compiled, count: int) -> tuple[SampledItem, ...]:
    model: Any = compiled.project.models["Order"]
    codec = codec_of(model)
    items = [codec.to_items(model(order_id=str(number)))[0] for number in range(count)]
    return tuple(SampledItem(entity="Order", item=item, bytes=40, version=1) for item in items)


def test_items_are_told_by_their_share(compiled: api.Compiled, monkeypatch: pytest.MonkeyPatch) -> None:
    stray = SampledItem(entity="", item={"pk": {"S": "?"}}, bytes=9)
    user = SampledItem(entity="User", item={"user_id": {"S": "u"}}, bytes=20, version=1)
    server = Server(compiled, [(*orders(compiled, 6), user), (user, user, stray)])
    (live,) = look_at(server, monkeypatch, sample=10).targets
    assert server.requested == [10]
    assert live.observation.items["Order"].sample == SampleSize(6, 3000, "item")
    assert live.observation.items["User"].sample == SampleSize(3, 1500, "item")
    assert str(live.observation.items["User"].sample) == "of 3 items sampled (of about 1,500)"
    assert live.observation.unknown_items == {"shop": (1, SampleSize(10, 5000, "item"))}
    assert live.observation.figures == {"connections": 3}
    assert live.observation.unseen == ()


def test_what_the_model_does_not_take_is_counted_without_its_values(
    compiled: api.Compiled, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = orders(compiled, 1)[0]
    wrong = replace(good, item={**good.item, "tags": {"L": [{"S": "a"}, {"N": "1"}]}})
    without = replace(good, item={name: value for name, value in good.item.items() if name != "order_id"})
    other = replace(good, version=7, item={})
    server = Server(compiled, [(good, wrong, without, without, other)])
    (live,) = look_at(server, monkeypatch).targets
    items = live.observation.items["Order"]
    assert items.versions == {1: 4, 7: 1}
    assert items.misfits == {'"order_id": missing': 2, '"tags": its stored form cannot be read (KeyError)': 1}
    assert items.such_as("misfits", '"order_id": missing') == ", such as pk='ORDER#0', sk='ORDER'"


def test_pages_have_pauses_between_them(compiled: api.Compiled, monkeypatch: pytest.MonkeyPatch) -> None:
    time = Time()
    look_at(Server(compiled, [orders(compiled, 100)] * 5), monkeypatch, time, rate=1000)
    assert time.slept == [pytest.approx(0.1)] * 5


def test_what_no_time_is_left_for_is_told(compiled: api.Compiled, monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server(compiled, [orders(compiled, 100)] * 50)
    (live,) = look_at(server, monkeypatch, rate=100, seconds=2.5).targets
    assert live.observation.items["Order"].sample.read == 400
    assert live.observation.unseen == ("dynamodb shop: time limit reached after 400 items",)


def test_what_is_refused_is_told_and_the_rest_is_looked_at(
    compiled: api.Compiled, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = Server(compiled, [orders(compiled, 3)], figures="no permission", count="not for you")
    (live,) = look_at(server, monkeypatch).targets
    assert live.observation.items["Order"].sample == SampleSize(3, None, "item")
    assert live.observation.unseen == ("figures of dynamodb: no permission", "size of dynamodb: not for you")


def test_a_target_that_may_not_be_described_is_told(compiled: api.Compiled, monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server(compiled, [], introspect="AccessDenied")
    (live,) = look_at(server, monkeypatch).targets
    assert (live.live, live.observation.unseen) == (None, ("dynamodb shop: AccessDenied",))


def test_a_server_that_is_lost_ends_the_look(compiled: api.Compiled, monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server(compiled, [], sample=ServerUnreachable("connection refused"))
    with pytest.raises(Unavailable, match="could not reach it: connection refused"):
        look_at(server, monkeypatch)
