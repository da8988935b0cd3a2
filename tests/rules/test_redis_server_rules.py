"""Rules about the settings of Redis servers: exact messages, and the boundary at which each rule is silent."""

from pathlib import Path

import pytest
from tests.rules.test_redis_rules import HASH, TEXT, findings_in, stack, thing

SMALL = "    text: Annotated[str, kw.Size(avg=20)]"


def put(rate: str, server: str = "", role: str = "primary") -> str:
    return thing(role, HASH, f'kw.Put(Thing, rate="{rate}")', server=server, fields=SMALL)


def settings(directives: str, role: str = "primary", server: str = "") -> str:
    return thing(role, HASH, server=f", settings={{{directives}}}{server}", fields=TEXT)


SOUND = "flavour: redis, ram: 1gb, replicas: 1"
ALWAYS = ', persistence=[kw.Aof(fsync="always")], settings={"repl-backlog-size": "256mb"}'
NO_FLUSH = '"no-appendfsync-on-rewrite": "yes"'
BUFFER = '"client-output-buffer-limit"'
SEVERAL = (
    settings("", role="primary")
    + """
class Copy(BaseModel):
    __store__: ClassVar = kw.RedisString(s, key="copy:{name}", ttl=timedelta(hours=1), kind="cache")

    name: str
    text: str
"""
)
STOCK = thing("primary", 'RedisHash(s, key="t:{name}", kind="stock")', fields=TEXT)

TOLD: dict[str, tuple[str, str, str, str]] = {
    "all of the machine": (
        put("1/s"),
        "flavour: redis, ram: 8gb, maxmemory: 7680mb, replicas: 1",
        "RED018",
        'server "s" lets data use 94% of 8.0 GiB of memory, 90 % are allowed: a snapshot or fragmentation needs the '
        "rest, and the kernel stops the server",
    ),
    "a release without fixes": (
        put("1/s"),
        'flavour: redis, version: "7.0", ram: 1gb, replicas: 1',
        "RED019",
        "Redis 7.0 receives no security fixes since 2024-07-29: known holes remain open",
    ),
    "writes after a failed snapshot": (
        settings('"stop-writes-on-bgsave-error": "no"'),
        SOUND,
        "RED020",
        'server "s" accepts writes after a failed snapshot: nobody notices that the disk has received nothing since',
    ),
    "a log that waits for its rewrite": (
        settings(NO_FLUSH, role="queue"),
        SOUND,
        "RED020",
        'server "s" does not flush its log while it rewrites it: a crash then loses up to 30 seconds of writes',
    ),
    "a backlog of a moment": (
        put("50k/s"),
        SOUND,
        "RED021",
        'the replication backlog of server "s" has 1.0 MiB, 0.2 seconds of its writes: after any longer interruption a '
        "replica copies all data",
    ),
    "a buffer without a limit": (
        settings(f'{BUFFER}: "replica 0 0 0"'),
        SOUND,
        "RED022",
        'the output buffer of replicas of server "s" has no limit: a slow replica fills the memory of its primary',
    ),
    "stock without a replica": (
        STOCK,
        SOUND,
        "RED023",
        'server "s" with "Thing" confirms writes while none of its replicas is connected: after a network split they '
        "are discarded",
    ),
    "replicas that are declared needless": (
        settings('"min-replicas-to-write": 0'),
        SOUND,
        "RED023",
        'server "s" confirms writes while none of its replicas is connected: after a network split they are discarded',
    ),
    "no slow log": (
        settings('"slowlog-max-len": 0'),
        SOUND,
        "RED024",
        'server "s" records no slow commands, by "slowlog-max-len" 0: a command that blocks all others cannot be found',
    ),
    "every event": (
        put("1001/s", ', settings={"notify-keyspace-events": "KA"}'),
        SOUND,
        "RED025",
        'server "s" notifies of all events of all keys at up to 1,001 writes a second: about 1,001 messages a second, '
        "which take time of its only core",
    ),
    "a long array": (
        settings('"zset-max-listpack-entries": 5_001'),
        SOUND,
        "RED026",
        'server "s" has "zset-max-listpack-entries" 5,001, 5,000 are allowed: each access walks through one array and '
        "blocks all others",
    ),
    "copies and records": (
        SEVERAL,
        SOUND,
        "RED027",
        'server "s" has cached copies, "Copy", beside the only copy of "Thing": with "noeviction" either the cache '
        "blocks writes or records are evicted",
    ),
    "threads that wait": (
        put("1/s"),
        "flavour: redis, ram: 1gb, replicas: 1, io-threads: 9",
        "RED028",
        'server "s" has 9 threads for input and output, 8 are useful: more wait for each other and for the main thread',
    ),
    "a disk in the way": (
        put("10001/s", ALWAYS),
        SOUND,
        "RED029",
        'server "s" forces its log to disk on each of up to 10,001 writes a second, 10,000 are recommended: the disk '
        "limits its throughput",
    ),
    "a giant": (
        put("1/s"),
        "flavour: redis, ram: 101gb, replicas: 1",
        "RED030",
        'server "s" is no cluster and has 101 GiB, 100 are recommended: failover, backup and restart take long',
    ),
    "more than a core": (
        thing("cache", HASH[:-1] + ', kind="cache")', 'kw.Get(Thing, eq="name", rate="200001/s")', fields=TEXT),
        SOUND,
        "RED030",
        'server "s" is no cluster and has up to 200,001 calls a second, 200,000 are recommended: one core executes '
        "them all",
    ),
}

SILENT: dict[str, tuple[str, str]] = {
    "nine tenths of the machine": (put("1/s"), "flavour: redis, ram: 10gb, maxmemory: 9gb, replicas: 1"),
    "a release that is supported": (put("1/s"), 'flavour: redis, version: "6.2", ram: 1gb, replicas: 1'),
    "a patch of a release": (put("1/s"), 'flavour: valkey, version: "8.1.3", ram: 1gb, replicas: 1'),
    "an unsaved limiter": (
        thing(
            "limiter",
            'RedisRateLimit(s, key="t:{name}", limit=90, per=timedelta(1), window="fixed")',
            server=f', settings={{"stop-writes-on-bgsave-error": "no", {NO_FLUSH}}}',
        ),
        SOUND,
    ),
    "a backlog of a second": (put("9k/s"), SOUND),
    "a backlog that a service fixes": (put("90k/s"), "flavour: memorydb, replicas: 1"),
    "a soft limit": (settings(f'{BUFFER}: "replica 0 64mb 60"'), SOUND),
    "money on MemoryDB": (STOCK, "flavour: memorydb, replicas: 1"),
    "stock with a replica": (
        STOCK.replace('role="primary"', 'role="primary", settings={"min-replicas-to-write": 1}'),
        SOUND,
    ),
    "events of one class": (put("9k/s", ', settings={"notify-keyspace-events": "KEx"}'), SOUND),
    "events of few writes": (put("1k/s", ', settings={"notify-keyspace-events": "KEA"}'), SOUND),
    "a short array": (settings('"zset-max-listpack-entries": 5_000'), SOUND),
    "eight threads": (put("1/s"), "flavour: redis, ram: 1gb, replicas: 1, io-threads: 8"),
    "a disk that suffices": (put("10k/s", ALWAYS), SOUND),
    "a large cluster": (put("1/s"), "flavour: redis, ram: 900gb, replicas: 1, cluster: true"),
}


@pytest.mark.parametrize("title", TOLD)
def test_a_problem_is_reported(title: str, tmp_path: Path) -> None:
    source, options, code, message = TOLD[title]
    assert [(finding.code, finding.message) for finding in findings_in(tmp_path, source, stack(options))] == [
        (code, message)
    ]


@pytest.mark.parametrize("title", SILENT)
def test_a_sound_server_has_no_findings(title: str, tmp_path: Path) -> None:
    source, options = SILENT[title]
    assert [
        f"{finding.code} {finding.object}: {finding.message}"
        for finding in findings_in(tmp_path, source, stack(options))
    ] == []
