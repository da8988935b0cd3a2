"""Applications on several nodes: a cluster of three primaries, and a primary that sentinels replace."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from redis import Redis, RedisCluster
from redis.exceptions import NoPermissionError, RedisError, ResponseError
from redis.sentinel import Sentinel
from tests.live.certificates import certificates
from tests.live.secured import running
from tests.live.test_redis_users import Product, compiled, drift, installed, login, placed
from tests.live.test_redis_users import product as product  # a fixture

from keywright import runtime
from keywright.drivers.redis import driver as driver_of
from keywright.drivers.redis.sentinels import primary_address
from keywright.engines.interface import ServerUnreachable
from keywright.engines.redis.access.keys import slot
from keywright.local.ports import free_ports

pytestmark = pytest.mark.live

_SENTINEL: Any = Sentinel  # the client has no types for it

MODELS = """
shop = kw.RedisServer("shop", role="primary")
packers = kw.ConsumerGroup("packers", idempotency="number", claim_after=timedelta(seconds=5))

class Basket(BaseModel):
    __store__: ClassVar = kw.RedisHash(shop, key="basket:{customer}")
    customer: Annotated[str, Field(max_length=20)]
    items: int

class Parcel(BaseModel):
    __store__: ClassVar = kw.RedisStream(shop, key="parcels", keep=100, groups=[packers])
    number: int

class Draft(BaseModel):
    __store__: ClassVar = kw.RedisString(shop, key="draft:{customer:tag}:{number}", value="text")
    customer: Annotated[str, Field(max_length=20)]
    number: int
    text: str

baskets = kw.Read(Basket, one_of="customer", limit=100, used_by="web")
put_basket = kw.Put(Basket, used_by="web")
add = kw.Increment(Basket, "items", used_by="web")
send = kw.Put(Parcel, used_by="web")
pack = kw.Take(Parcel, group=packers, limit=5, used_by="web")
drafts = kw.Read(Draft, eq="customer", one_of="number", used_by="web")
save = kw.Transact([kw.Put(Draft), kw.Put(Draft)], used_by="web")
spare = kw.Get(Basket, eq="customer", used_by="other")
"""


def until(is_so: Callable[[], object], seconds: float = 30) -> None:
    """Wait until something is so; errors of servers that are not ready count as no."""
    ends = time.monotonic() + seconds
    while True:
        try:
            if is_so():
                return
        except RedisError:
            pass
        assert time.monotonic() < ends
        time.sleep(0.05)


@contextmanager
def nodes(product: Product, files: dict[str, str], folder: Path, count: int) -> Iterator[dict[int, ExitStack]]:
    """Servers on the rendered files by their ports; each ends with its stack."""
    started: dict[int, ExitStack] = {}
    with ExitStack() as all_stacks:
        for port in free_ports((1,) * count):
            home = folder / str(port)
            home.mkdir()
            (home / "shop.conf").write_text(files["redis/shop.conf"], encoding="utf-8")
            (home / "users.acl").write_text(installed(files["redis/shop.users.acl"]), encoding="utf-8")
            options = ["--port", str(port), "--dir", str(home), "--masterauth", "replica"]
            started[port] = stack = all_stacks.enter_context(ExitStack())
            stack.enter_context(running([product.program, "shop.conf", *options], home, port))
        yield started


def a_cluster(ports: list[int]) -> None:
    """Make a cluster of servers, each with a third of the slots."""
    admins: list[Any] = [login(port, "keywright") for port in ports]
    for place, admin in enumerate(admins):
        first, behind = place * 16_384 // len(ports), (place + 1) * 16_384 // len(ports)
        admin.execute_command("CLUSTER ADDSLOTSRANGE", first, behind - 1)
        admin.execute_command("CLUSTER", "MEET", "127.0.0.1", ports[0])
    for admin in admins:
        until(partial(_is_whole, admin))
        admin.close()


def _is_whole(admin: Any) -> bool:
    return "'cluster_state': 'ok'" in str(admin.execute_command("CLUSTER INFO"))


def test_a_cluster_of_three_nodes_serves_a_service_as_its_user(product: Product, tmp_path: Path) -> None:
    with compiled(tmp_path, product, MODELS, cluster="true") as (models, project):
        files = {artefact.path: artefact.text for artefact in project.artefacts}
        with nodes(product, files, tmp_path, 3) as started:
            ports = [*started]
            a_cluster(ports)
            with RedisCluster(host="127.0.0.1", port=ports[0], username="web", password="web") as client:
                db = runtime.open(models, environment="dev", redis=client)
                baskets = [models.Basket(customer=f"c{at}", items=at) for at in range(12)]
                assert len({slot(f"basket:c{at}") * 3 // 16_384 for at in range(12)}) == 3
                models.put_basket(db, *baskets)
                assert list(models.baskets(db, customer=[f"c{at}" for at in range(12)])) == baskets
                assert models.add(db, customer="c3") == 4
                models.save(db, *(models.Draft(customer="c", number=at, text="t") for at in range(2)))
                assert [draft.number for draft in models.drafts(db, customer="c", number=[0, 1])] == [0, 1]
                with login_of_slot(ports, "parcels") as admin:
                    admin.xgroup_create("parcels", "packers", mkstream=True)
                models.send(db, models.Parcel(number=1))
                with models.pack(db) as parcels:
                    assert [parcel.number for parcel in parcels] == [1]
                with pytest.raises(NoPermissionError):
                    client.execute_command("GET", "other")
                assert refusals(ports) == []
            with RedisCluster(host="127.0.0.1", port=ports[0], username="other", password="other") as client:
                db = runtime.open(models, environment="dev", redis=client)
                assert models.spare(db, customer="c3").items == 4
                with pytest.raises(ResponseError, match="permission"):
                    models.add(db, customer="c3")


def login_of_slot(ports: list[int], key: str) -> Redis:
    """A client of the node with a key."""
    return login(ports[slot(key) * len(ports) // 16_384], "keywright")


def refusals(ports: list[int]) -> list[str]:
    """Commands, beside those that the test refuses, for which some user had no right."""
    refused: list[str] = []
    for port in ports:
        with login(port, "keywright") as admin:
            refused += [entry["object"] for entry in admin.acl_log()]
    return [name for name in refused if name not in ("get", "other")]


def test_an_application_follows_the_primary_that_sentinels_choose(product: Product, tmp_path: Path) -> None:
    with compiled(tmp_path, product, MODELS, replicas=1) as (models, project):
        files = {artefact.path: artefact.text for artefact in project.artefacts}
        with nodes(product, files, tmp_path, 2) as started:
            primary, replica = started
            with login(replica, "keywright") as admin:
                admin.replicaof("127.0.0.1", primary)
                until(lambda: admin.info("replication")["master_link_status"] == "up")
            with sentinels(product, tmp_path, primary) as ports:
                addresses = [("127.0.0.1", port) for port in ports]
                sentinel: Any = _SENTINEL(addresses, username="web", password="web", socket_timeout=2)
                client = sentinel.master_for("shop")
                db = runtime.open(models, environment="dev", redis=client)
                until(lambda: len(sentinel.sentinels[0].sentinel_sentinels("shop")) == 2)
                until(lambda: len(sentinel.sentinels[0].sentinel_slaves("shop")) == 1)
                hosts = ",".join(f"127.0.0.1:{port}" for port in (1, *ports))  # nothing listens on the first one
                url = f"redis+sentinel://keywright:keywright@{hosts}/0?sentinel=shop"
                assert primary_address(url, 2) == f"redis://keywright:keywright@127.0.0.1:{primary}/0"
                driver = driver_of.connect(url)
                assert driver.names() == (hosts,)
                assert ("users", "web") not in drift(driver, placed(project))
                driver.close()
                with login(primary, "keywright") as admin:
                    admin.xgroup_create("parcels", "packers", mkstream=True)
                models.put_basket(db, models.Basket(customer="c", items=1))
                assert models.add(db, customer="c") == 2
                models.send(db, models.Parcel(number=1))
                with login(primary, "keywright") as admin:
                    assert admin.execute_command("WAIT", 1, 5000) == 1
                started[primary].close()  # which kills it
                until(lambda: list(models.baskets(db, customer=["c"])) and models.add(db, customer="c") >= 3)
                assert sentinel.discover_master("shop")[1] == replica
                assert primary_address(url, 2) == f"redis://keywright:keywright@127.0.0.1:{replica}/0"
                with pytest.raises(ServerUnreachable, match="none of its sentinels answers, or knows"):
                    driver_of.connect(url.replace("=shop", "=other"))
                with models.pack(db) as parcels:  # the script is unknown to the new primary until it is sent whole
                    assert [parcel.number for parcel in parcels] == [1]
                with pytest.raises(NoPermissionError):
                    client.get("other")
                client.close()


@contextmanager
def sentinels(product: Product, folder: Path, primary: int) -> Iterator[list[int]]:
    """The ports of three sentinels that watch a primary."""
    with ExitStack() as stack:
        ports = list(free_ports((1, 1, 1)))
        for port in ports:
            home = folder / f"sentinel-{port}"
            home.mkdir()
            (home / "sentinel.conf").write_text(
                f"port {port}\nsentinel monitor shop 127.0.0.1 {primary} 2\n"
                "sentinel auth-user shop keywright\nsentinel auth-pass shop keywright\n"
                "sentinel down-after-milliseconds shop 500\nsentinel failover-timeout shop 3000\n",
                encoding="utf-8",
            )
            stack.enter_context(running([product.program, "sentinel.conf", "--sentinel"], home, port))
        yield ports


@pytest.mark.parametrize("product", ["redis"], indirect=True)  # the wheel of Valkey is built without TLS
def test_sentinels_with_tls_name_a_primary_with_tls(product: Product, tmp_path: Path) -> None:
    files = certificates(tmp_path)
    tls = f"tls-cert-file {tmp_path}/server.crt\ntls-key-file {tmp_path}/server.key\n"
    tls += f"tls-ca-cert-file {files.authority}\nport 0\ntls-auth-clients no\n"
    primary, port = free_ports((1, 1))
    with ExitStack() as stack:
        for name, own in (("server", primary), ("sentinel", port)):
            (tmp_path / name).mkdir()
            lines = f"{tls}tls-port {own}\n"
            if name == "sentinel":
                lines += "tls-replication yes\nsentinel resolve-hostnames yes\nsentinel announce-hostnames yes\n"
                lines += f"requirepass word\nsentinel monitor shop localhost {primary} 1\n"
            (tmp_path / name / "file.conf").write_text(lines, encoding="utf-8")
            options = ["--sentinel"] if name == "sentinel" else []
            stack.enter_context(running([product.program, "file.conf", *options], tmp_path / name, own))
        options_of_tls = f"ssl_ca_certs={files.authority}"
        url = f"rediss+sentinel://localhost:{port}/0?sentinel=shop&{options_of_tls}"
        with pytest.raises(ServerUnreachable, match="none of its sentinels answers"):
            driver_of.version(url)
        assert driver_of.version(f"{url}&sentinel_password=word").startswith(product.version)
        stranger = url.replace(str(files.authority), str(files.stranger))
        with pytest.raises(ServerUnreachable):
            driver_of.version(f"{stranger}&sentinel_password=word")
