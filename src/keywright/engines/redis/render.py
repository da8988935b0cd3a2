"""Redis servers as files (a redis.conf or the parameters of a service), and the steps between two of them."""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from keywright.engines.interface import Artefact
from keywright.ir.json import Json, pretty
from keywright.ir.text import one_line

from .declare.settings import RedisEnvironment, RedisUsers
from .migrate.alter import migrate
from .migrate.search_indexes import create_indexes
from .schema.capabilities import DIRECTIVES, FLAVOURS, is_service
from .schema.directive import quoted
from .schema.hardening import hardened, process
from .schema.parameter_groups import parameters
from .schema.place import place
from .schema.target import ServerTarget
from .schema.user_file import rights, user_lines

_GROUPS = {
    "memory": ("maxmemory", "maxmemory-policy"),
    "persistence": ("appendonly", "appendfsync", "save"),
    "process": ("cluster-enabled", "io-threads"),
}
"""Directives at the top of the file, by heading."""

_BARE = frozenset(("client-output-buffer-limit", "latency-tracking-info-percentiles", "shutdown-on-sigint",
                   "shutdown-on-sigterm"))  # fmt: skip
"""Directives whose value is several words, written without quotes."""

_ANYWHERE = RedisEnvironment(flavour="redis", version="7.0", users=RedisUsers())
"""Settings without any environment's own values, and users that a server keeps itself, for the oldest version that has
them."""


def render(declared: ServerTarget, placed: ServerTarget, environment: RedisEnvironment) -> tuple[Artefact, ...]:
    """See `Engine.render`.

    `<server>.conf` is for redis-server. `<server>.parameters.json` is for the AWS command line, as the value of
    --parameter-name-values of `elasticache modify-cache-parameter-group` or `memorydb update-parameter-group`; a
    service without parameter groups gets none. `<server>.users.acl` are the users of a server, and
    `<server>.users.json` has the access string of each user of a service, for `elasticache create-user`.
    """
    if not is_service(environment.flavour):
        return (
            Artefact(f"redis/{declared.name}.conf", _conf(declared, placed, environment)),
            *_users(placed, environment),
        )
    users = _access_strings(placed) if environment.users is not None else ()
    pairs = parameters(placed, environment.flavour)
    document: list[Json] = [{"ParameterName": name, "ParameterValue": value} for name, value in pairs]
    groups = (Artefact(f"redis/{declared.name}.parameters.json", pretty(document)),) if document else ()
    return (*groups, *users)


def _users(placed: ServerTarget, environment: RedisEnvironment) -> tuple[Artefact, ...]:
    """The file of users, where the environment names one; an ACL file takes no comments."""
    if environment.users is None or environment.users.file is None:
        return ()
    return (Artefact(f"redis/{placed.name}.users.acl", "\n".join(user_lines(placed)) + "\n"),)


def _access_strings(placed: ServerTarget) -> tuple[Artefact, ...]:
    """The rights of each user as a service takes them, which keeps names and passwords itself."""
    document: list[Json] = [
        {"UserName": user.name, "AccessString": f"on {' '.join(rights(user))}"} for user in placed.users
    ]
    return (Artefact(f"redis/{placed.name}.users.json", pretty(document)),) if document else ()


def _conf(declared: ServerTarget, placed: ServerTarget, environment: RedisEnvironment) -> str:
    settings = dict(placed.settings)
    parts = [_header(declared, environment)]
    for title, names in _GROUPS.items():
        parts.append(_section(title, (line for name in names if name in settings for line in _lines(name, settings))))
    other_names = sorted(settings.keys() - set(chain.from_iterable(_GROUPS.values())))
    parts.append(_section("further settings", (line for name in other_names for line in _lines(name, settings))))
    added = dict(hardened(placed, environment))
    title = "hardened defaults, each replaced by settings= of the server"
    parts.append(_section(title, (line for name in added for line in _lines(name, added))))
    connections = (f"{name} {quoted(value)}" for name, value in process(placed, environment))
    parts.append(_section("connections", connections))
    groups = ((stream.key, group) for stream in placed.streams for group in stream.groups)
    commands = (f"#   XGROUP CREATE {quoted(key)} {quoted(group)} $ MKSTREAM" for key, group in groups)
    parts.append(_section("consumer groups, to be created with redis-cli once the server runs", commands))
    searches = (f"#   {' '.join(map(quoted, words))}" for words in _searches(placed))
    parts.append(_section("indexes of Search, to be created with redis-cli once the server runs", searches))
    return "\n".join(part for part in parts if part)


def _searches(placed: ServerTarget) -> Iterator[list[str]]:
    """The commands that create the indexes of a new server."""
    for statement in create_indexes(placed, ""):
        native: Any = statement.native
        yield native["command"]


def _header(declared: ServerTarget, environment: RedisEnvironment) -> str:
    flavour = FLAVOURS[environment.flavour]
    version = environment.version or flavour.latest
    program = "valkey-server" if environment.flavour == "valkey" else "redis-server"
    port = "" if environment.tls else " --port 6379"
    return (
        f'# Settings of server "{declared.name}" for {flavour.title} {version}, written by `keywright compile`.\n'
        f"# Run `{program} {declared.name}.conf{port} --dir /data`, or `include` it in the server's own file.\n"
    )


def _section(title: str, lines: Iterable[str]) -> str:
    section_lines = list(lines)
    return "\n".join((f"# {title[0].upper()}{title[1:]}", *section_lines)) + "\n" if section_lines else ""


def _lines(name: str, settings: dict[str, str]) -> Iterator[str]:
    value = settings[name]
    if name == "save" and value:
        words = value.split()
        for seconds, changes in zip(words[::2], words[1::2], strict=True):
            yield f"save {seconds} {changes}"  # one point a line: 6.2 accepts no more
    elif name == "client-output-buffer-limit":
        words = value.split()
        for start in range(0, len(words), 4):
            yield f"{name} {' '.join(words[start : start + 4])}"
    elif name in _BARE and value:
        yield f"{name} {one_line(value)}"
    elif name in DIRECTIVES and DIRECTIVES[name].kind == "memory":
        yield f"{name} {_size(int(value))}"
    else:
        yield f"{name} {quoted(value)}"


def _size(number: int) -> str:
    """Bytes in the largest unit without a remainder."""
    units = {"gb": 2**30, "mb": 2**20, "kb": 2**10}
    return next(
        (f"{number // size}{unit}" for unit, size in units.items() if number and number % size == 0), str(number)
    )


def script(before: ServerTarget | None, after: ServerTarget | None) -> tuple[Artefact, ...]:
    """See `Engine.script`: `redis-cli < FILE`, on each node; the file of each server gets the same settings."""
    old, new = (server and place(server, _ANYWHERE) for server in (before, after))
    lines: list[str] = []
    for statement in migrate(old, new):
        native: Any = statement.native
        lines.append(" ".join(map(quoted, native["command"])))
        if "also" in native:
            lines[-1:] = ["MULTI", lines[-1], " ".join(map(quoted, native["also"])), "EXEC"]
        if "then" in native:
            lines.append(" ".join(map(quoted, native["then"])))
    return (Artefact("commands.redis", "\n".join(lines) + "\n"),) if lines else ()
