"""What pages say of Redis and Valkey, shown on a real server: what it keeps, drops and refuses."""

import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from redis.exceptions import OutOfMemoryError
from tests.live.redis_showing import Server, a_cluster, refused, truth
from tests.live.test_redis import program
from tests.live.truth import Claim

from keywright.drivers.redis import driver as driver_of
from keywright.local import Running

pytestmark = pytest.mark.live

FULL = "used memory > 'maxmemory'"


def full(server: Server, policy: str, **options: int) -> str:
    """What becomes of a hundred keys of 20 kB each where there is memory for a part of them."""
    asking = server.client
    asking.config_set("maxmemory-policy", policy)
    asking.config_set("maxmemory", asking.info("memory")["used_memory"] + 1_000_000)
    try:
        for number in range(100):
            asking.set(f"key:{number}", "x" * 20_000, **options)
    except OutOfMemoryError:
        return f"error: {FULL}"
    return "all are taken, and some dropped" if asking.dbsize() < 100 else "all are taken"


@truth("RED001", "A server has no bound of memory by itself")
def _(server: Server) -> str:
    with server.another() as asking:
        return f"maxmemory {asking.config_get('maxmemory')['maxmemory']}"


@truth("RED002", "A cache that drops nothing refuses what is new")
def _(server: Server) -> str:
    return full(server, "noeviction")


@truth("RED002", "What is there is read all the same")
def _(server: Server) -> str:
    full(server, "noeviction")
    return f"{len(server.client.get('key:0'))} bytes"


@truth("RED002", "By a policy for all keys those that shall stay are dropped too")
def _(server: Server) -> str:
    return full(server, "allkeys-lru")


@truth("RED002", "By their times to live those go first that end first")
def _(server: Server) -> str:
    asking = server.client
    for number in range(5):
        asking.set(f"long:{number}", "x" * 20_000, ex=100_000)
    full(server, "volatile-ttl", ex=100)
    return f"{asking.exists(*(f'long:{number}' for number in range(5)))} of 5 with the longest time are left"


@truth("RED003", "What does not fit is refused, or dropped, and the server counts what it dropped")
def _(server: Server) -> str:
    def evicted() -> int:
        return int(server.client.info("stats")["evicted_keys"])

    before = evicted()
    full(server, "allkeys-lru")
    return "dropped keys are counted" if evicted() > before else "none is counted"


@truth("RED004", "A key that is set without a time to live stays")
def _(server: Server) -> str:
    server.client.set("login", "u")
    return f"TTL {server.client.ttl('login')}"


@truth("RED005", "A server writes no log by itself")
def _(server: Server) -> str:
    with server.another() as asking:
        return f"appendonly {asking.config_get('appendonly')['appendonly']}"


@truth("RED006", "A server makes snapshots by itself")
def _(server: Server) -> str:
    with server.another() as asking:
        return f"save {asking.config_get('save')['save']}"


def crashed(server: Server, *lines: str, between: Callable[[Any], object] = lambda asking: None) -> str:
    """How many of two keys are there again after a server was killed; `between` is done between them."""
    with server.another(*lines) as asking:
        asking.set("first", 1)
        between(asking)
        asking.set("second", 2)
    with server.another(*lines) as asking:
        return f"{asking.exists('first', 'second')} of 2 keys"


@truth("RED005", "Without log and snapshot a server that was killed comes back empty")
def _(server: Server) -> str:
    return crashed(server, 'save ""')


@truth("RED006", "Of snapshots all that came later is lost")
def _(server: Server) -> str:
    return crashed(server, "save 3600 1", between=lambda asking: asking.save())


@truth("RED006", "A log of every write keeps all")
def _(server: Server) -> str:
    return crashed(server, "appendonly yes", "appendfsync always")


@truth("RED006", "After a snapshot that could not be written nothing more is taken, and the server says so")
def _(server: Server) -> str:
    with server.another("save 3600 1") as asking:
        shutil.rmtree(server.folder / "home")
        asking.set("first", 1)
        asking.bgsave()
        until(lambda: asking.info("persistence")["rdb_bgsave_in_progress"] == 0)
        status = asking.info("persistence")["rdb_last_bgsave_status"]
        return f"rdb_last_bgsave_status {status}, {refused(lambda: asking.set('second', 2), 'MISCONF')}"


def until(is_so: Callable[[], bool]) -> None:
    """Waits for what comes by itself."""
    end = time.monotonic() + 20
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)


@truth("RED007", "A policy for keys that expire drops none that does not, and writes fail")
def _(server: Server) -> str:
    return full(server, "volatile-lru")


@truth("RED008", "Two callers who write a text anew undo each other's change")
def _(server: Server) -> str:
    server.client.set("profile", '{"name": "a", "level": 1}')
    first = second = server.client.get("profile")
    server.client.set("profile", first.replace('"a"', '"b"'))
    server.client.set("profile", second.replace("1", "2"))
    return str(server.client.get("profile"))


@truth("RED008", "Fields of a hash change one by one")
def _(server: Server) -> str:
    server.client.hset("profile", mapping={"name": "a", "level": 1})
    server.client.hset("profile", "name", "b")
    server.client.hincrby("profile", "level", 1)
    return str(server.client.hgetall("profile"))


@truth("RED009", "What is no number is not incremented")
def _(server: Server) -> str:
    server.client.set("plays", '{"count": 1}')
    return refused(lambda: server.client.incr("plays"), "value is not an integer or out of range")


for _code in ("RED009", "GEN104"):

    @truth(_code, "A key of one structure takes no command of another")
    def _(server: Server) -> str:
        server.client.hset("player:1", "name", "x")
        return refused(lambda: server.client.sadd("player:1", "tag"), "WRONGTYPE")


@truth("RED010", "An entry that was acknowledged stays in its stream")
def _(server: Server) -> str:
    asking = server.client
    asking.xgroup_create("events", "mail", id="0", mkstream=True)
    taken = asking.xadd("events", {"name": "a"})
    asking.xreadgroup("mail", "one", {"events": ">"})
    asking.xack("events", "mail", taken)
    return f"length {asking.xlen('events')}, {asking.xpending('events', 'mail')['pending']} pending"


@truth("RED010", "What a group has taken and not acknowledged stays pending")
def _(server: Server) -> str:
    asking = server.client
    asking.xgroup_create("events", "mail", id="0", mkstream=True)
    asking.xadd("events", {"name": "a"})
    asking.xreadgroup("mail", "one", {"events": ">"})
    return f"{asking.xpending('events', 'mail')['pending']} pending"


@truth("RED010", "A bound that is not exact leaves a little more")
def _(server: Server) -> str:
    for number in range(500):
        server.client.xadd("events", {"name": number}, maxlen=150, approximate=True)
    return f"length {server.client.xlen('events')} where 150 were allowed"


for _code in ("RED011", "GEN011"):

    @truth(_code, "A value of a key has 512 MB at the most")
    def _(server: Server) -> str:
        return refused(lambda: server.client.setrange("large", 2**29, "x"), "string exceeds maximum allowed size")


@truth("RED011", "What takes long keeps all others waiting")
def _(server: Server) -> str:
    server.client.rpush("large", *range(100_000))
    walk = "for n = 1, 50 do redis.call('LRANGE', KEYS[1], 0, -1) end"
    ended: list[float] = []

    def walked() -> None:
        server.client.eval(walk, 1, "large")
        ended.append(time.monotonic())

    with driver_of.client(server.url) as other:
        other.ping()
        thread = threading.Thread(target=walked)
        thread.start()
        time.sleep(0.05)
        assert not ended
        other.ping()
        answered = time.monotonic()
        thread.join()
    return "a PING is answered after it" if answered > ended[0] - 0.01 else "a PING is answered meanwhile"


@truth("RED012", "Two calls of one moment are one member")
def _(server: Server) -> str:
    for _ in range(2):
        server.client.zadd("calls:u", {"2026-11-22T00:00:00Z": 1_795_305_600})
    return f"{server.client.zcard('calls:u')} of 2 calls"


@truth("RED012", "A counter that each call keeps alive does not go back to 0")
def _(server: Server) -> str:
    for seconds in (10, 60):
        server.client.incr("calls:u")
        server.client.expire("calls:u", seconds)
    return f"count {server.client.get('calls:u')}, TTL {server.client.ttl('calls:u')}"


@truth("RED013", "An empty server tells a high ratio, and few bytes")
def _(server: Server) -> str:
    with server.another() as asking:
        info = asking.info("memory")
    is_high, is_little = info["mem_fragmentation_ratio"] > 1.5, info["mem_fragmentation_bytes"] < 100 * 2**20
    return f"a ratio {'above' if is_high else 'below'} 1.5, {'less' if is_little else 'more'} than 100 MiB"


@truth("RED014", "A server without a module does not know its commands")
def _(server: Server) -> str:
    return refused(lambda: server.client.execute_command("FT.SEARCH", "products", "*"), "unknown command 'FT.SEARCH'")


@truth("RED022", "A buffer of replicas without any limit is accepted")
def _(server: Server) -> str:
    asking, name = server.client, "client-output-buffer-limit"
    before = asking.config_get(name)[name]
    asking.config_set(name, "replica 0 0 0")
    unlimited = asking.config_get(name)[name]
    asking.config_set(name, before)
    default = " ".join(before.split("slave ")[1].split()[:3])
    return f"{'taken' if 'slave 0 0 0' in unlimited else unlimited}; by default {default}"


@truth("RED026", "A raised limit keeps a large hash in one block")
def _(server: Server) -> str:
    asking, encodings = server.client, []
    fields = {f"field:{number}": number for number in range(20_000)}
    before = asking.config_get("hash-max-listpack-entries")["hash-max-listpack-entries"]
    for limit in (100_000, int(before)):
        asking.config_set("hash-max-listpack-entries", limit)
        asking.delete("big")
        asking.hset("big", mapping=fields)
        asking.config_set("slowlog-log-slower-than", 0)
        asking.slowlog_reset()
        for _ in range(10):
            asking.hget("big", "field:19999")
        asking.config_set("slowlog-log-slower-than", 10_000)
        spent = min(entry["duration"] for entry in asking.slowlog_get() if entry["command"].startswith(b"HGET"))
        encodings.append(f"{asking.object('encoding', 'big')}: {'above' if spent > 50 else 'below'} 50 \u00b5s")
    return ", ".join(encodings)


@truth("RED028", "A server starts with up to 128 threads for input and output")
def _(server: Server) -> str:
    with server.another("io-threads 48") as asking:
        return f"{asking.config_get('io-threads')['io-threads']} threads"


@truth("RED033", "A push that sets the time to live again keeps all older elements")
def _(server: Server) -> str:
    asking = server.client
    for number in range(3):
        asking.rpush("recent", number)
        asking.expire("recent", 1)
        time.sleep(0.6)
    return f"{asking.llen('recent')} elements after 1.8 s with a time to live of 1 s"


@truth("RED044", "An evicted lock is obtained a second time")
def _(server: Server) -> str:
    asking = server.client
    asking.set("lock", "first", nx=True, ex=30)
    full(server, "volatile-ttl", ex=3_000)
    again = asking.set("lock", "second", nx=True, ex=30)
    return f"the second SET NX within 30 s is {'accepted' if again else 'refused'}"


@truth("RED061", "An entry that another consumer works on is claimed after the given time")
def _(server: Server) -> str:
    asking = server.client
    asking.xadd("jobs", {"n": 1})
    asking.xgroup_create("jobs", "workers", id="0")
    asking.xreadgroup("workers", "first", {"jobs": ">"})
    time.sleep(0.1)
    early = asking.xautoclaim("jobs", "workers", "second", min_idle_time=60_000)[1]
    claimed = asking.xautoclaim("jobs", "workers", "second", min_idle_time=50)[1]
    return f"{len(early)} with a minute, {len(claimed)} with 50 ms"


@truth("RED062", "A stream is trimmed without regard to what a group has not read")
def _(server: Server) -> str:
    asking = server.client
    asking.xgroup_create("jobs", "workers", id="0", mkstream=True)
    for number in range(10):
        asking.xadd("jobs", {"n": number}, maxlen=4, approximate=False)
    [[_, entries]] = asking.xreadgroup("workers", "first", {"jobs": ">"})
    return f"{len(entries)} of 10 entries reach the group"


@truth("RED063", "A job that was taken from a list is in no key any more")
def _(server: Server) -> str:
    asking = server.client
    asking.rpush("jobs", "first")
    asking.blpop(["jobs"], timeout=1)
    return f"{asking.dbsize()} keys"


@truth("RED066", "The count of a HyperLogLog is an estimate")
def _(server: Server) -> str:
    for start in range(0, 100_000, 1_000):
        server.client.pfadd("visitors", *range(start, start + 1_000))
    return f"{server.client.pfcount('visitors'):,} of 100,000"


@truth("RED102", "SET takes the time to live off, and what changes a value keeps it")
def _(server: Server) -> str:
    asking, left = server.client, []
    for change in ("SET key 2", "SET key 2 KEEPTTL", "INCR key"):
        asking.set("key", 1, ex=1_000)
        asking.execute_command(*change.split())
        left.append(f"{change}: {'kept' if asking.ttl('key') > 0 else 'gone'}")
    return ", ".join(left)


@truth("RED103", "A node of a cluster refuses keys that are in several slots at once")
def _(server: Server) -> str:
    with a_cluster(server.program(), server.folder) as url, driver_of.client(url) as node:
        node.mset({"{o}:a": 1, "{o}:b": 1})
        return f"{refused(lambda: node.mget('a', 'b'), 'same slot')}; with one word in braces taken"


@truth("RED105", "Valkey has no policy allkeys-lrm")
def _(server: Server) -> str:
    if server.flavour != "valkey":
        pytest.skip("newer versions of Redis have the policy; no Valkey does")
    words = "argument(s) must be one of the following"
    return refused(lambda: server.client.config_set("maxmemory-policy", "allkeys-lrm"), words)


@truth("RED106", "The server names each logical database that holds keys")
def _(server: Server) -> str:
    with driver_of.client(server.database(3)) as third:
        third.set("key", 1)
        text = ", ".join(server.client.info("keyspace"))
        third.flushdb()
    return text


@truth("RED106", "Logical databases share the bound of memory")
def _(server: Server) -> str:
    full(server, "noeviction")
    with driver_of.client(server.database(3)) as third:
        return refused(lambda: third.set("key", "x" * 100_000), FULL)


@truth("RED106", "A cluster has the first database alone")
def _(server: Server) -> str:
    with server.another("cluster-enabled yes") as node:
        return refused(lambda: node.execute_command("SELECT", 1), "DB index is out of range")


@truth("RED107", "From 129 members on a sorted set is no compact block any more")
def _(server: Server) -> str:
    asking, output = server.client, []
    for members in (128, 129):
        asking.zadd(f"best:{members}", {f"game:{n}": n for n in range(members)})
        output.append(asking.object("encoding", f"best:{members}"))
    small, large = (asking.memory_usage(f"best:{members}", samples=0) for members in (128, 129))
    return f"{' and then '.join(output)}, which takes {large / small:.0f} times the memory"


@truth("E0513", "EXPIRE takes a key and no member")
def _(server: Server) -> str:
    server.client.sadd("tags", "a")
    return refused(lambda: server.client.execute_command("EXPIRE", "tags", "a", 10), "Unsupported option")


ANOTHER = "it takes several machines"
SERVICE = "it is a service"

for _code, _text, _why in (
    ("RED001", "The kernel ends a server that takes all memory", "a test would take the machine's memory"),
    ("RED003", "Ten million keys of 2 KB take more than 20 GB", "it takes more memory than a test has"),
    ("RED006", "A log of every second loses about a second", "what a killed process has written is with the system"),
    ("RED013", "What lies in pieces is missing to the machine", "it takes a server that has worked for long"),
    ("RED015", "A replica takes over when a machine stops", ANOTHER),
    ("RED104", "ElastiCache and MemoryDB block CONFIG and refuse parameters of their own choice", SERVICE),
    ("RED105", "Older servers do not know directives that came later", "the local server is a new one"),
):
    truth.beyond(_code, _text, _why)


@pytest.fixture
def server(start: Callable[..., Running], tmp_path: Path) -> Iterator[Server]:
    """A server without keys, and with no bound of memory."""
    running = start("redis", "truth")
    with driver_of.client(running.url) as asking:
        flavour = "valkey" if running.version.startswith("valkey") else "redis"
        before = asking.config_get("maxmemory", "maxmemory-policy")
        asking.flushall()
        yield Server(asking, running.url, flavour, lambda: program(start), tmp_path)
        for name, value in before.items():
            asking.config_set(name, value)
        asking.flushall()


@pytest.mark.parametrize("claim", truth.shown, ids=str)
def test_redis_does_what_pages_say(
    claim: Claim, start: Callable[..., Running], server: Server, is_true: Callable[..., bool]
) -> None:
    version = start("redis", "truth").version
    name = version.capitalize() if server.flavour == "valkey" else f"Redis {version}"
    assert is_true(truth, claim, server, name)
