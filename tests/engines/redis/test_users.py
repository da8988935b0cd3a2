"""Users of services: rights from patterns, files, names, and the lines that servers report."""

from datetime import timedelta
from typing import Any, ClassVar

import pytest
from pydantic import BaseModel
from tests.engines.redis.designs import refusals_of, server_of

import keywright as kw
from keywright.engines.contract.classes import row_of
from keywright.engines.contract.diff import diff
from keywright.engines.interface import Artefact
from keywright.engines.redis.declare.settings import RedisEnvironment, RedisUsers
from keywright.engines.redis.engine import ENGINE
from keywright.engines.redis.migrate.diff import CLASSES, PARTS
from keywright.engines.redis.schema.users import UserTarget, glob, user_of
from keywright.record import replace

desk = kw.RedisServer("desk", role="primary")
workers = kw.ConsumerGroup("workers", idempotency="number", claim_after=timedelta(seconds=5))


class Ticket(BaseModel):
    __store__: ClassVar = kw.RedisHash(desk, key="ticket:{number}")
    number: int
    text: str


class Event(BaseModel):
    __store__: ClassVar = kw.RedisStream(desk, key="events", keep=10, groups=[workers])
    number: int


ticket = kw.Get(Ticket, eq="number", used_by=["site", "support"])
open_ticket = kw.Put(Ticket, if_absent=True, used_by="site")
close_ticket = kw.Delete(Ticket, used_by="support")
record = kw.Transact([kw.Put(Ticket), kw.Put(Event)], used_by="site")
unserved = kw.Read(Ticket, eq="text", unserved="a scan", used_by="lost")
events = kw.Read(Event, limit=5)

DECLARED: dict[str, Any] = {
    "desk": desk, "Ticket": Ticket, "Event": Event, "ticket": ticket, "open_ticket": open_ticket,
    "close_ticket": close_ticket, "record": record, "unserved": unserved, "events": events,
}  # fmt: skip
DESK = server_of(__file__, **DECLARED)


def test_a_user_has_the_commands_and_keys_of_its_patterns() -> None:
    site = "%W~events +del +eval +evalsha +exec +exists +hgetall +hset +multi +xadd ~ticket:*"
    support = "+hgetall +unlink ~ticket:*"
    assert [(user.name, " ".join(user.rules)) for user in DESK.users] == [("site", site), ("support", support)]


HERE = RedisEnvironment(flavour="redis", version="7.0", users=RedisUsers(file="/etc/redis/users.acl"), replicas=1)
FILE = """\
user default off
user keywright on #${KEYWRIGHT_SHA256} ~* &* +@all
user replica on #${REPLICA_SHA256} +psync +replconf +ping
user site on #${SITE_SHA256} %W~events ~ticket:* +del +eval +evalsha +exec +exists +hgetall +hset +multi +ping +xadd
user support on #${SUPPORT_SHA256} ~ticket:* +hgetall +ping +unlink
"""
ACCESS = """\
[
  {
    "UserName": "site",
    "AccessString": "on %W~events ~ticket:* +client|setinfo +del +eval +evalsha +exec +exists +hgetall +hset +multi +ping +xadd"
  },
  {
    "UserName": "support",
    "AccessString": "on ~ticket:* +client|setinfo +hgetall +ping +unlink"
  }
]
"""  # noqa: E501  # the document as it is


def rendered(environment: RedisEnvironment, suffix: str) -> list[Artefact]:
    artefacts = ENGINE.render(DESK, ENGINE.place(DESK, environment), environment)
    return [artefact for artefact in artefacts if artefact.path.endswith(suffix)]


def test_the_file_of_users_has_a_variable_in_the_place_of_each_password() -> None:
    assert rendered(HERE, ".acl") == [Artefact("redis/desk.users.acl", FILE)]
    (conf,) = rendered(HERE, ".conf")
    assert "aclfile /etc/redis/users.acl\nmasteruser replica\n" in conf.text
    assert rendered(replace(HERE, users=None), ".acl") == []
    assert rendered(replace(HERE, users=RedisUsers()), ".acl") == []


def test_a_service_takes_an_access_string_for_each_user() -> None:
    service = RedisEnvironment(flavour="elasticache", version="7.2", users=RedisUsers())
    assert rendered(service, "users.json") == [Artefact("redis/desk.users.json", ACCESS)]
    assert rendered(replace(service, users=None), "users.json") == []
    placed = ENGINE.place(DESK, service)
    assert [statement.object[0] for statement in ENGINE.create(placed)] == ["streams"]


def test_users_connect_as_the_version_and_a_cluster_need_it() -> None:
    def connecting(**more: Any) -> set[str]:
        placed = ENGINE.place(DESK, replace(HERE, **more)).users
        return {*placed[1].rules} - {*DESK.users[1].rules}

    assert connecting() == {"+ping"}
    assert connecting(version="7.2") == {"+ping", "+client|setinfo"}
    assert "+cluster|slots" in connecting(cluster=True)


def test_users_may_name_the_keys_of_the_former_generation() -> None:
    second = replace(DESK, generation=2)
    assert {rule for rule in ENGINE.place(second, HERE).users[1].rules if "~" in rule} == {"~ticket:*", "~k2:ticket:*"}
    third = ENGINE.place(replace(DESK, generation=3), HERE)
    assert {rule for rule in third.users[1].rules if "~" in rule} == {"~k2:ticket:*", "~k3:ticket:*"}
    assert ENGINE.unplace(third, HERE).users == DESK.users


def test_an_environment_without_users_neither_makes_nor_compares_them() -> None:
    alone = ENGINE.place(DESK, replace(HERE, users=None))
    assert "users" not in {statement.object[0] for statement in ENGINE.create(alone)}
    assert ENGINE.managed(replace(alone, users=()), alone).users == alone.users
    assert ENGINE.apart(HERE, "p_").users is None
    assert ENGINE.localise(HERE, "7.0.15").users is None


def test_users_need_a_version_with_rights_on_keys() -> None:
    old = replace(HERE, version="6.2")
    (refused,) = ENGINE.refuse(ENGINE.place(DESK, old), old)
    assert (refused.code, refused.problem, refused.setting) == (
        "RED105", 'server "desk" has users with rights on keys, which Redis 6.2 lacks', ("users",),
    )  # fmt: skip
    assert list(ENGINE.refuse(ENGINE.place(DESK, HERE), HERE)) == []
    assert list(ENGINE.refuse(ENGINE.place(replace(DESK, users=()), old), old)) == []


def row(before: tuple[UserTarget, ...], after: tuple[UserTarget, ...]) -> tuple[str, str]:
    """(class, reason) of the only change between users."""
    old, new = (ENGINE.describe(replace(DESK, users=users)) for users in (before, after))
    (change,) = diff("redis/desk", PARTS, old, new, ("desk",))
    row = row_of(CLASSES, change)
    return row.classes, row.why


def test_fewer_rights_break_calls_and_more_rights_do_not() -> None:
    site, support = DESK.users
    fewer = replace(site, rules=site.rules[1:])
    assert row((fewer, support), (site, support)) == ("S", "the user may do more")
    assert row((site, support), (fewer, support)) == ("K", "commands of the user are rejected")
    reader = replace(support, rules=("%R~ticket:*", "+hgetall"))
    assert row((site, reader), (site, support)) == ("S", "the user may do more")
    assert row((site, support), (site, reader)) == ("K", "commands of the user are rejected")
    assert row((support,), (site, support)) == ("S", "the user may do more")
    assert row((site, support), (support,)) == ("K", "commands of the user are rejected")


def test_each_change_is_a_statement_that_leaves_passwords() -> None:
    before, after = (ENGINE.place(replace(DESK, users=users), HERE) for users in (DESK.users[:1], DESK.users[1:]))
    natives = [statement.native for statement in ENGINE.migrate(before, after)]
    assert natives == [
        {
            "command": [
                "ACL", "SETUSER", "support", "clearselectors", "resetkeys", "resetchannels", "-@all",
                "+hgetall", "+ping", "+unlink", "~ticket:*",
            ],
            "then": ["ACL", "SAVE"],
        },
        {"command": ["ACL", "DELUSER", "site"], "then": ["ACL", "SAVE"]},
    ]  # fmt: skip


@pytest.mark.parametrize(("name", "problem"), [
    ("default", '"default" in used_by= is the user of clients without a login'),
    ("keywright", '"keywright" in used_by= is the user of migrations'),
    ("two words", '"two words" in used_by= cannot be the name of a user'),
    ("a-b", '"a-b" and "a.b" in used_by= have the same secret A_B_SHA256'),
])  # fmt: skip
def test_a_name_that_no_user_can_have_is_refused_at_its_pattern(name: str, problem: str) -> None:
    first = kw.Get(Ticket, eq="number", used_by="a.b")
    second = kw.Get(Ticket, eq="number", used_by=name)
    (refused,) = refusals_of(__file__, desk=desk, Ticket=Ticket, first=first, second=second)
    assert (refused.code, refused.problem, refused.at) == ("E0511", problem, second.at)


@pytest.mark.parametrize(("template", "pattern"), [
    ("a:{b}", "a:*"), ("{a}:{b}:c", "*:*:c"), ("a:{b:tag}:{c:pad(4)}", "a:{*}:*"), ("a*[b]?:{c}", "a\\*\\[b\\]\\?:*"),
    ("a b", "a?b"), ("numbers", "numbers"),
])  # fmt: skip
def test_a_template_is_a_glob(template: str, pattern: str) -> None:
    assert glob(template) == pattern


def test_a_line_of_a_server_is_read_without_passwords() -> None:
    line = "user web on nopass #0a1b2c sanitize-payload %R~a:* ~b resetchannels &news -@all +get -set (~c -@all +get)"
    assert user_of(line) == UserTarget("web", ("%R~a:*", "&news", "(~c -@all +get)", "+get", "-set", "~b"))
    assert user_of("user web off resetchannels -@all") == UserTarget("web", ())
