"""Keys of Redis as applications write them with a plain client: about fifty families of every type."""

import gzip
import json
import pickle
import random
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID

from redis import Redis

EMAILS = tuple(
    f"{name}{number}@example.org" for number, name in enumerate(("alice", "bob", "carol", "dave", "erin") * 4)
)
PEOPLE = ("alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi")
SECRETS = (*PEOPLE, "example.org", "t0ken", "hunter2", "Berlin-Mitte")
"""Texts in keys and values that no file may contain."""

DAY = date(2026, 1, 1)
HOUR = 3600


def uuids(count: int, start: int) -> Iterator[UUID]:
    drawn = random.Random(start)
    return (UUID(int=drawn.getrandbits(128), version=4) for _ in range(count))


def token(drawn: random.Random) -> str:
    return "".join(drawn.choice("abcdefghijkmnopqrstuvwxyz0123456789") for _ in range(28)) + "t0ken"


def write(client: "Redis[Any]") -> None:
    """All families; each has at least three keys, unless it is one by its name."""
    drawn = random.Random(7)
    pipeline: Any = client.pipeline(transaction=False)
    _strings(pipeline, drawn)
    _counters(pipeline, drawn)
    _hashes(pipeline, drawn)
    _lists_and_sets(pipeline, drawn)
    _sorted_sets(pipeline, drawn)
    _streams(pipeline, drawn)
    _bytes(pipeline, drawn)
    pipeline.execute()


def _strings(pipeline: Any, drawn: random.Random) -> None:
    for number in range(60):
        session = {"user_id": number, "email": EMAILS[number % 20], "roles": ["admin"], "csrf": token(drawn),
                   "ip": "10.0.0.1", "seen": None if number % 2 else "2026-01-01"}  # fmt: skip
        pipeline.set(f"session:{token(drawn)}", json.dumps(session), ex=30 * 60 - number % 20)
    for number, id in enumerate(uuids(30, 1)):
        product = {"sku": str(id), "title": f"Product {number}", "price": 12.5 + number, "tags": ["a", "b"],
                   "status": ("new", "sold")[number % 2], "stock": {"shelf": number, "room": "b"}}  # fmt: skip
        pipeline.set(f"cache:product:{id}", json.dumps(product), ex=300)
    for number in range(25):
        pipeline.set(f"cache:search:v2:{drawn.getrandbits(128):032x}", json.dumps([number, number + 1]), ex=60)
        pipeline.set(f"cache:fragment:home:{number}", f"<p>Hello {PEOPLE[number % 8]}</p>", ex=900)
        pipeline.set(f"user:{1000 + number}:last_seen", f"2026-01-01T00:00:{number:02}.000000Z")
        pipeline.set(f"user:{1000 + number}:balance", f"{number}.50")
        pipeline.set(f"email_to_user:{EMAILS[number % 20]}", str(1000 + number))
        pipeline.set(f"lock:invoice:{number}", str(next(uuids(1, number))), px=9000)
        pipeline.set(f"reset:{token(drawn)}", EMAILS[number % 20], ex=HOUR - number)
        pipeline.set(f"otp:+4915100000{number:02}", f"{number:06}", ex=120)
        pipeline.set(
            f"celery-task-meta-{next(uuids(1, 100 + number))}", json.dumps({"status": "SUCCESS", "result": None})
        )
    for flag in ("checkout", "search", "signup"):
        pipeline.set(f"feature:{flag}", "true")
    pipeline.set("config:version", "v12")
    pipeline.set("maintenance", "off")


def _counters(pipeline: Any, drawn: random.Random) -> None:
    for number in range(40):
        day = DAY + timedelta(days=number)
        pipeline.set(f"views:page:{number}", 0)
        pipeline.incrby(f"views:page:{number}", number)
        pipeline.incrby(f"signups:{day}", number)
        pipeline.incrby(f"stats:{day}:orders", number)
        pipeline.incrby(f"stats:{day}:refunds", 1)
        pipeline.incrby(f"rate:10.0.{number}.1:{29_430_000 + number}", 3)
        pipeline.expire(f"rate:10.0.{number}.1:{29_430_000 + number}", 60)
        pipeline.set(f"api:{PEOPLE[number % 8]}:calls", number)
    pipeline.incrby("orders:next_id", 1000)
    pipeline.incrbyfloat("stats:revenue", 1234.5)


def _hashes(pipeline: Any, drawn: random.Random) -> None:
    for number in range(50):
        user = {"name": PEOPLE[number % 8], "email": EMAILS[number % 20], "logins": number, "rating": f"{number}.25",
                "active": "true", "created": "2026-01-01T10:00:00.000000Z", "plan": ("free", "paid")[number % 2],
                "prefs": json.dumps({"theme": "dark", "size": number}), "phone": f"+4915100000{number:02}"}  # fmt: skip
        if number % 3 == 0:
            user["referrer"] = str(number)
        pipeline.hset(f"user:{1000 + number}", mapping=user)
        pipeline.hset(f"player:{number}", mapping={"player_id": number, "level": number % 9, "guild": str(number % 4)})
        pipeline.hset(f"cart:{token(drawn)}", mapping={f"{drawn.randint(100, 999)}": 1 for _ in range(4)})
        pipeline.hset(f"cart_header:{number}", mapping={"currency": "EUR", "total": f"{number}.99", "items": number})
        pipeline.hset(f"followers_of:{number}", mapping={PEOPLE[(number + n) % 8]: n for n in range(2)})
    for id in uuids(12, 3):
        pipeline.hset(f"device:{id}:state", mapping={"battery": 50, "online": "false", "firmware": "1.2.3"})
        pipeline.hset(f"spring:session:sessions:{id}", mapping={"creationTime": 1767225600000, "maxInactive": 1800})
    pipeline.hset("config:limits", mapping={"uploads": 10, "downloads": 20})


def _lists_and_sets(pipeline: Any, drawn: random.Random) -> None:
    for name in ("emails", "reports", "webhooks"):
        for number in range(6):
            job = {"id": str(next(uuids(1, number))), "args": [number], "attempts": 0, "at": 1767225600.5}
            pipeline.lpush(f"queue:{name}", json.dumps(job))
    for number in range(20):
        pipeline.lpush(f"user:{1000 + number}:feed", *(json.dumps({"post": n, "by": PEOPLE[n]}) for n in range(5)))
        pipeline.rpush(f"recent:{number}", *range(5))
        pipeline.sadd(f"user:{1000 + number}:follows", *range(number, number + 4))
        pipeline.sadd(f"tags:{number}", "red", "green")
        pipeline.sadd(f"room:{next(uuids(1, 200 + number))}:members", *(PEOPLE[n] for n in range(3)))
        pipeline.sadd(f"seen:{DAY + timedelta(days=number)}", *(str(id) for id in uuids(3, number)))
    pipeline.sadd("online_users", *PEOPLE)


def _sorted_sets(pipeline: Any, drawn: random.Random) -> None:
    for week in range(1, 7):
        for game in ("chess", "go", "checkers", "poker"):
            scores = {PEOPLE[n]: n * 10 for n in range(8)}
            pipeline.zadd(f"lb:{game}:2026-W{week:02}", scores)
        pipeline.zadd(f"trending:{{tags}}:2026-W{week:02}", {"a": 1.5, "b": 2.25})
        pipeline.zadd(f"scores:{{g{week}x}}:daily", {"p1": 3, "p2": 4})
    for number in range(15):
        times = {f"{1767225600 + n}-{drawn.getrandbits(32):08x}": 1767225600.25 + n for n in range(5)}
        pipeline.zadd(f"rl:sliding:{number}", times)
        pipeline.expire(f"rl:sliding:{number}", 60)
        pipeline.geoadd(f"drivers:{('berlin', 'paris', 'rome')[number % 3]}", (13.4 + number / 100, 52.5, f"d{number}"))
        pipeline.geoadd(f"shops:{number}", (2.35, 48.85 + number / 100, "s1", -74.0, 40.7, "s2"))
    pipeline.zadd("delayed_jobs", {"job1": 1767225600, "job2": 1767225700})


def _streams(pipeline: Any, drawn: random.Random) -> None:
    for number in range(30):
        event = {"order_id": str(next(uuids(1, 300 + number))), "type": ("paid", "sent")[number % 2], "total": "9.90",
                 "at": "2026-01-01T10:00:00.000000Z", "lines": json.dumps([{"sku": "a", "qty": number}])}  # fmt: skip
        pipeline.xadd("events:orders", event)
        pipeline.xadd(f"chat:{number % 5}", {"from": PEOPLE[number % 8], "text": "hello"})
    pipeline.xgroup_create("events:orders", "billing")
    pipeline.xgroup_create("events:orders", "shipping")
    for name in PEOPLE:
        pipeline.xadd("audit", {"actor": name, "action": "login"}, maxlen=1000)


def _bytes(pipeline: Any, drawn: random.Random) -> None:
    for number in range(12):
        day = DAY + timedelta(days=number)
        pipeline.pfadd(f"uniques:{day}", *(str(id) for id in uuids(20, number)))
        pipeline.pfadd(f"visitors:home:{number}", "a", "b", number)
        for bit in (number, 700 + number, 9_001):
            pipeline.setbit(f"active:{day}", bit, 1)
        pipeline.set(f"pickled:{number}", pickle.dumps({"password": "hunter2", "n": number}))
        pipeline.set(f"zipped:{number}", gzip.compress(b"Berlin-Mitte" * 20))
        pipeline.set(f"thumbnail:{number}", bytes(drawn.getrandbits(8) | 0x80 for _ in range(64)))
        pipeline.set(f"python:{number}", str({"name": "alice", "n": number}))
        pipeline.set(f"php:{number}", 'a:1:{s:4:"name";s:5:"alice";}')
    pipeline.set(b"\xff\xfe\x00binary", "x")


NOW = datetime(2026, 1, 1, tzinfo=UTC)
