"""Proofs of structures whose answers are not what was written: rate limits, streams, places, estimates."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from redis import Redis
from tests.live.conftest import Start
from tests.projects import a_project, imported_alone, with_imports

from keywright import api
from keywright.api.live.local_servers import local_instances
from keywright.api.prove.prove import prove_on
from keywright.api.prove.scratch import Server
from keywright.prove import takes
from keywright.prove.proof_case import ProofCase

pytestmark = pytest.mark.live

MODELS = """
server = kw.RedisServer("app", role="primary", eviction="noeviction", persistence=[])
Word = Annotated[str, Field(pattern="^[a-z0-9-]+$", max_length=20)]


class Place(BaseModel):
    longitude: Annotated[float, Field(ge=-180, le=180)]
    latitude: Annotated[float, Field(ge=-85, le=85)]


class Shop(BaseModel):
    __store__: ClassVar = kw.RedisGeo(server, key="shops:{kind}", member="{name}", place="place")
    kind: Word
    name: Annotated[str, Field(max_length=20)]
    place: Place


shop = kw.Get(Shop)
near = kw.Read(Shop, eq="kind", near="place", limit=5)


class Api(BaseModel):
    __store__: ClassVar = kw.RedisRateLimit(
        server, key="api:{user}:{route}", limit=5, per=timedelta(seconds=300), window="sliding"
    )
    user: Word
    route: Annotated[str, Field(max_length=10)]


allow = kw.Take(Api)
allow_two = kw.Take(Api, limit=2)


class Fixed(BaseModel):
    __store__: ClassVar = kw.RedisRateLimit(
        server, key="fix:{user}", limit=5, per=timedelta(seconds=300), window="fixed"
    )
    user: Word


allow_fixed = kw.Take(Fixed, limit=3)


class Seen(BaseModel):
    __store__: ClassVar = kw.RedisRateLimit(
        server, key="seen:{user}", member="{page}", limit=3, per=timedelta(seconds=300), window="sliding"
    )
    user: Word
    page: Annotated[str, Field(max_length=10)]


allow_page = kw.Take(Seen)


class Poured(BaseModel):
    __store__: ClassVar = kw.RedisRateLimit(
        server, key="poured:{user}", limit=30, per=timedelta(seconds=300), window="bucket", burst=4
    )
    user: Word


allow_poured = kw.Take(Poured)
allow_poured_two = kw.Take(Poured, limit=2)


class Ranked(BaseModel):
    __store__: ClassVar = kw.RedisSortedSet(server, key="r:{owner}:{state}", member="{name}", score="points")
    owner: Word
    state: Literal["new", "paid", "gone"]
    name: Annotated[str, Field(pattern="^[a-z]{8}$")]
    points: Annotated[int, Field(ge=0, le=40)]


any_ranked = kw.Get(Ranked, eq="owner")
shipping = kw.ConsumerGroup("shipping", idempotency="number", claim_after=timedelta(seconds=60))


class Job(BaseModel):
    __store__: ClassVar = kw.RedisStream(server, key="jobs", keep=1_000, groups=[shipping])
    number: int


take = kw.Take(Job, group=shipping, limit=3)
take_two = kw.Take(Job, group=shipping, limit=2)


class Mail(BaseModel):
    __store__: ClassVar = kw.RedisStream(server, key="mails", keep=1_000, groups=[shipping], due="send_at")
    number: int
    send_at: datetime | None = None


send = kw.Put(Mail)
take_mail = kw.Take(Mail, group=shipping, limit=3)
mails = kw.Read(Mail, limit=5)
count_mails = kw.Count(Mail)


class Guest(BaseModel):
    __store__: ClassVar = kw.RedisHyperLogLog(server, key="guests:{day:date}", member="{guest}")
    day: date
    guest: Annotated[str, Field(max_length=8)]


guests = kw.Count(Guest, one_of="day")
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("proofs")
    with imported_alone(folder):
        a_project(folder, {"models/app.py": with_imports(MODELS)})
        sys.path.insert(0, str(folder))
        yield folder


@pytest.fixture(params=["valkey", "redis"])
def server(start: Start, request: pytest.FixtureRequest) -> Any:
    return start("redis", "proofs", product="" if request.param == "valkey" else request.param)


def problems(project: Path, running: Any) -> dict[str, list[str]]:
    compiled = api.compile(api.load(str(project)))
    (instance,) = local_instances(compiled)
    with Redis.from_url(running.url) as client:
        client.flushall()
    results = prove_on(compiled.project, compiled, [Server(instance, running.url, running.version)], scale=50)
    return {result.row.pattern.name: result.proof.problems if result.proof else ["no proof"] for result in results}


def test_what_redis_does_not_give_back_as_it_was_is_proved(project: Path, server: Any) -> None:
    result = problems(project, server)
    assert set(result) == {
        "shop", "near", "allow", "allow_two", "allow_fixed", "allow_page", "allow_poured",
        "allow_poured_two", "send", "take_mail", "mails", "count_mails", "take", "take_two", "guests", "any_ranked",
    }  # fmt: skip
    assert not any(result.values()), result


def test_a_limit_that_lets_too_many_pass_is_not_proved(
    project: Path, server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    strict = takes._permits

    def with_less(trial: ProofCase, limit: int) -> None:
        strict(trial, limit - 2)  # the proof expects less than the server allows

    monkeypatch.setattr(takes, "_permits", with_less)
    result = problems(project, server)
    assert any("is granted" in entry for entry in result["allow"]), result
    assert any("is granted" in entry for entry in result["allow_page"]), result
