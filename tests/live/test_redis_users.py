"""Users of services on real servers: the rendered file, the calls of their patterns, migrations and drift."""

import hashlib
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from redis import Redis
from redis.exceptions import AuthenticationError, NoPermissionError, ResponseError
from tests.live.conftest import Start
from tests.live.secured import running
from tests.live.test_redis import program as valkey_program
from tests.projects import a_project, imported_alone, with_imports
from tests.servers import redis_server

from keywright import compiler, runtime
from keywright.compiler import Compiled
from keywright.drivers.redis import driver as driver_of
from keywright.engines.contract.diff import differences
from keywright.engines.interface import Driver
from keywright.engines.redis.engine import ENGINE
from keywright.engines.redis.schema.target import ServerTarget
from keywright.local.ports import free_ports
from keywright.migrations.run.runner import run
from keywright.record import Record

pytestmark = pytest.mark.live

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
    __store__: ClassVar = kw.RedisString(shop, key="draft:{customer:tag}", value="text")
    customer: Annotated[str, Field(max_length=20)]
    text: str

basket = kw.Get(Basket, eq="customer", used_by=["web", "billing"])
put_basket = kw.Put(Basket, used_by="web")
send = kw.Put(Parcel, used_by="web")
pack = kw.Take(Parcel, group=packers, limit=1, used_by="packing")
draft = kw.Get(Draft, eq="customer")
save = kw.Transact([kw.Put(Draft), kw.Put(Draft)], used_by="web")
"""

STACK = """
config:
  keywright:environment:
    mode: dev
    redis: {{flavour: {flavour}, version: "{version}", users: {{{users}}}, replicas: {replicas}, cluster: {cluster}}}
"""


class Product(Record):
    """A server program with its version."""

    program: str
    flavour: str
    version: str


@pytest.fixture(scope="module", params=("valkey", "redis"))
def product(start: Start, request: pytest.FixtureRequest) -> Product:
    server = start("redis", "versions", product="" if request.param == "valkey" else "redis")
    program = valkey_program(start) if request.param == "valkey" else redis_server()
    assert program is not None
    version = server.version.removeprefix("valkey ")
    return Product(program, request.param, ".".join(version.split(".")[:2]))


@contextmanager
def compiled(folder: Path, product: Product, models: str = MODELS, **more: Any) -> Iterator[tuple[Any, Compiled]]:
    """The model module, and the project in its environment."""
    folder.mkdir(exist_ok=True)
    own = {"flavour": product.flavour, "version": product.version}
    values = {"users": "file: users.acl", "replicas": 0, "cluster": "false", **own, **more}
    files = {"models/shop.py": with_imports(models), "stacks/Pulumi.dev.yaml": STACK.format(**values)}
    with imported_alone(folder):
        a_project(folder, files)
        sys.path.insert(0, str(folder))
        yield import_module("models.shop"), compiler.compile(compiler.load(str(folder)), "dev")


def installed(text: str) -> str:
    """A file of users with the digests of passwords, as envsubst puts them there."""
    return re.sub(r"\$\{(\w+)_SHA256\}", lambda name: hashlib.sha256(name[1].lower().encode()).hexdigest(), text)


@contextmanager
def started(product: Product, project: Compiled, folder: Path) -> Iterator[int]:
    """The port of a server that runs on the rendered files."""
    (port,) = free_ports((1,))
    files = {artefact.path: artefact.text for artefact in project.artefacts}
    (folder / "shop.conf").write_text(files["redis/shop.conf"], encoding="utf-8")
    (folder / "users.acl").write_text(installed(files["redis/shop.users.acl"]), encoding="utf-8")
    with running([product.program, "shop.conf", "--port", str(port), "--dir", str(folder)], folder, port):
        yield port


def login(port: int, name: str) -> Redis:
    return Redis(port=port, username=name, password=name, decode_responses=True)


def placed(project: Compiled) -> ServerTarget:
    (target,) = project.targets
    assert isinstance(target.placed, ServerTarget)
    return target.placed


@contextmanager
def migrating(port: int) -> Iterator[Driver]:
    driver = driver_of.connect(f"redis://keywright:keywright@127.0.0.1:{port}/0")
    try:
        yield driver
    finally:
        driver.close()


def drift(driver: Driver, target: ServerTarget) -> list[Any]:
    live = ENGINE.parse(driver.introspect([target.name])[target.name] or {})
    native = ENGINE.describe(ENGINE.managed(live, target))["native"]
    return [change.path for change in differences(ENGINE.describe(target)["native"], native)]


def test_each_service_calls_its_patterns_and_nothing_else(product: Product, tmp_path: Path) -> None:
    with compiled(tmp_path, product) as (models, project), started(product, project, tmp_path) as port:
        with migrating(port) as driver:
            run(ENGINE.create(placed(project)), driver)
            assert drift(driver, placed(project)) == []
        with login(port, "web") as web, login(port, "packing") as packing, login(port, "billing") as billing:
            db, packer, biller = (
                runtime.open(models, environment="dev", redis=client) for client in (web, packing, billing)
            )
            models.put_basket(db, models.Basket(customer="c", items=2))
            models.send(db, models.Parcel(number=1))
            models.save(db, models.Draft(customer="a", text="t"), models.Draft(customer="b", text="t"))
            assert models.basket(db, customer="c") == models.basket(biller, customer="c")
            with models.pack(packer) as parcels:
                assert [parcel.number for parcel in parcels] == [1]
            for other, call in (
                (packer, lambda db: models.basket(db, customer="c")),
                (biller, lambda db: models.put_basket(db, models.Basket(customer="c", items=3))),
                (biller, lambda db: models.send(db, models.Parcel(number=2))),
                (db, models.pack),
                (db, lambda db: models.draft(db, customer="a")),
            ):
                with pytest.raises(ResponseError, match=r"permission|can't run"):
                    call(other)
            for words in (("GET", "basket:c"), ("HGETALL", "other:c"), ("KEYS", "*"), ("FLUSHALL",),
                          ("CONFIG", "GET", "*"), ("SUBSCRIBE", "news"), ("ACL", "LIST"),
                          ("HSET", "basket:c", "items", "9")):  # fmt: skip
                with pytest.raises(NoPermissionError):
                    billing.execute_command(*words)


def test_a_user_may_send_no_command_beside_those_of_its_patterns(product: Product, tmp_path: Path) -> None:
    with compiled(tmp_path, product) as (_, project), started(product, project, tmp_path) as port:
        allowed = {user.name: {rule[1:] for rule in user.rules if rule[0] == "+"} for user in placed(project).users}
        with login(port, "keywright") as admin:
            for user, commands in allowed.items():
                sent = {name for name in _all_commands(admin) if _is_allowed(admin, user, name)}
                assert sent - ALWAYS == commands


ALWAYS = {"auth", "hello", "quit", "reset"}
"""Commands that need no right."""


def _all_commands(admin: Any) -> Iterator[str]:
    connection = admin.connection_pool.get_connection()
    connection.send_command("COMMAND", "LIST")  # the client expects the answer to COMMAND
    yield from (name.lower() for name in connection.read_response())
    connection.disconnect()


def _is_allowed(admin: Any, user: str, name: str) -> bool:
    """Whether a command is allowed on some key; DRYRUN tells of the command before it looks for keys."""
    words = name.split("|")
    for count in range(8):
        try:
            answer = admin.execute_command("ACL", "DRYRUN", user, *words, *(["1"] * count))
        except ResponseError as error:
            if "number of arguments" in str(error) or "not found" in str(error):
                continue
            raise
        return answer == "OK" or "no permissions to run" not in answer
    return False


AUTHENTICATION = r"(?i)authenticated|authentication required"
"""What servers say without a login: the older protocol asks for AUTH, the newer one for HELLO with a login."""


def test_nobody_logs_in_without_a_password(product: Product, tmp_path: Path) -> None:
    with compiled(tmp_path, product) as (_, project), started(product, project, tmp_path) as port:
        with (
            Redis(port=port) as client,
            pytest.raises(AuthenticationError, match=AUTHENTICATION),
        ):
            client.ping()
        with Redis(port=port, username="web", password="") as client, pytest.raises(AuthenticationError):
            client.ping()


MORE = MODELS.replace('eq="customer")', 'eq="customer", used_by=["web", "editor"])').replace(
    'group=packers, limit=1, used_by="packing")', "group=packers, limit=1)"
)
"""A pattern more for `web`, a new service, and no more `packing`."""


def test_a_migration_changes_rights_and_leaves_passwords(product: Product, tmp_path: Path) -> None:
    with compiled(tmp_path / "a", product) as (_, project), started(product, project, tmp_path) as port:
        before = placed(project)
        with compiled(tmp_path / "b", product, MORE) as (_, later):
            after = placed(later)
        with migrating(port) as driver:
            run(ENGINE.create(before), driver)
            assert drift(driver, after) == [("users", "editor"), ("users", "web")]
            statements = ENGINE.migrate(before, after)
            assert [statement.summary for statement in statements] == [
                'give user "editor" the rights of its patterns',
                'give user "web" the rights of its patterns',
                'delete user "packing"',
            ]
            assert [done.outcome for done in run(statements, driver)] == ["made"] * 3
            assert drift(driver, after) == []
            assert [done.outcome for done in run(statements, driver)] == ["kept"] * 3
        saved = (tmp_path / "users.acl").read_text()
        assert "user editor off" in saved
        assert "user packing" not in saved
        with login(port, "web") as web:
            assert web.get("draft:{c}") is None  # its password is the former one
        with login(port, "packing") as packing, pytest.raises(AuthenticationError):
            packing.ping()
        with login(port, "editor") as editor, pytest.raises(AuthenticationError):
            editor.ping()
        with login(port, "keywright") as admin:
            admin.execute_command("ACL", "SETUSER", "editor", "on", f"#{hashlib.sha256(b'editor').hexdigest()}")
        with login(port, "editor") as editor:
            assert editor.get("draft:{c}") is None
            with pytest.raises(NoPermissionError):
                editor.set("draft:{c}", "x")


def test_rights_that_somebody_added_are_drift(product: Product, tmp_path: Path) -> None:
    with (
        compiled(tmp_path, product) as (_, project),
        started(product, project, tmp_path) as port,
        migrating(port) as driver,
        login(port, "keywright") as admin,
    ):
        run(ENGINE.create(placed(project)), driver)
        for rules in (("+@dangerous",), ("~*",), ("&news",), ("(+get ~other)",), ("-hset",)):
            admin.execute_command("ACL", "SETUSER", "web", *rules)
            assert drift(driver, placed(project)) == [("users", "web")], rules
            (user,) = (user for user in placed(project).users if user.name == "web")
            admin.execute_command("ACL", "SETUSER", "web", "clearselectors", "resetkeys", "resetchannels", "-@all",
                                  *user.rules)  # fmt: skip
            assert drift(driver, placed(project)) == []
        admin.execute_command("ACL", "DELUSER", "web")
        assert drift(driver, placed(project)) == [("users", "web")]
        admin.execute_command("ACL", "SETUSER", "stranger", "on", ">word", "+@all")
        described = driver.introspect(["shop"])["shop"]
        assert "word" not in str(described)
        assert hashlib.sha256(b"word").hexdigest() not in str(described)


def test_users_without_a_file_are_kept_in_the_configuration(product: Product, tmp_path: Path) -> None:
    with compiled(tmp_path, product, users="") as (_, project):
        files = {artefact.path: artefact.text for artefact in project.artefacts}
        assert list(files) == ["redis/shop.conf"]
        assert "aclfile" not in files["redis/shop.conf"]
        (tmp_path / "shop.conf").write_text(files["redis/shop.conf"], encoding="utf-8")
        (port,) = free_ports((1,))
        command = [product.program, "shop.conf", "--port", str(port), "--dir", str(tmp_path)]
        with running(command, tmp_path, port):
            driver = driver_of.connect(f"redis://127.0.0.1:{port}/0")
            run(ENGINE.create(placed(project)), driver)
            assert drift(driver, placed(project)) == []
            driver.close()
        assert "user web off" in (tmp_path / "shop.conf").read_text()


def test_a_replica_follows_as_its_user(product: Product, tmp_path: Path) -> None:
    with compiled(tmp_path / "a", product, replicas=1) as (_, project), started(product, project, tmp_path) as port:
        folder = tmp_path / "replica"
        folder.mkdir()
        for name in ("shop.conf", "users.acl"):
            (folder / name).write_text((tmp_path / name).read_text(), encoding="utf-8")
        (own,) = free_ports((1,))
        options = ["--port", str(own), "--dir", str(folder), "--replicaof", f"127.0.0.1 {port}"]
        command = [product.program, "shop.conf", *options, "--masterauth", "replica"]
        with running(command, folder, own), login(own, "keywright") as replica, login(port, "web") as web:
            web.hset("basket:c", "items", 1)
            ends = time.monotonic() + 20
            while not replica.exists("basket:c"):
                assert time.monotonic() < ends, (folder / "log").read_text()
                time.sleep(0.05)
