"""Redis servers as files: a redis.conf, or the parameters of a service."""

from collections.abc import Iterable, Iterator
from itertools import chain

from keywright.engines.interface import Artefact
from keywright.ir.json import Json, pretty

from .capabilities import DIRECTIVES, FLAVOURS, is_service
from .parameters import parameters
from .settings import RedisEnvironment
from .target import ServerTarget

_GROUPS = {
    "memory": ("maxmemory", "maxmemory-policy"),
    "persistence": ("appendonly", "appendfsync", "save"),
    "process": ("cluster-enabled", "io-threads"),
}
"""Directives that stand first, by the heading above them."""

_BARE = frozenset(("client-output-buffer-limit", "latency-tracking-info-percentiles", "shutdown-on-sigint",
                   "shutdown-on-sigterm"))  # fmt: skip
"""Directives whose value is several words to the server."""


def render(declared: ServerTarget, placed: ServerTarget, environment: RedisEnvironment) -> tuple[Artefact, ...]:
    """See `Engine.render`.

    `<server>.conf` is for redis-server. `<server>.parameters.json` is for the AWS command line, as the value of
    --parameter-name-values of `elasticache modify-cache-parameter-group` or `memorydb update-parameter-group`; a
    service without parameter groups gets no file.
    """
    if not is_service(environment.flavour):
        return (Artefact(f"redis/{declared.name}.conf", _conf(declared, placed, environment)),)
    found = parameters(placed, environment.flavour)
    told: list[Json] = [{"ParameterName": name, "ParameterValue": value} for name, value in found]
    return (Artefact(f"redis/{declared.name}.parameters.json", pretty(told)),) if told else ()


def _conf(declared: ServerTarget, placed: ServerTarget, environment: RedisEnvironment) -> str:
    settings = dict(placed.settings)
    parts = [_header(declared, environment)]
    for title, names in _GROUPS.items():
        parts.append(_section(title, (line for name in names if name in settings for line in _lines(name, settings))))
    others = sorted(settings.keys() - set(chain.from_iterable(_GROUPS.values())))
    parts.append(_section("further settings", (line for name in others for line in _lines(name, settings))))
    groups = ((stream.key, group) for stream in placed.streams for group in stream.groups)
    commands = (f"#   XGROUP CREATE {quoted(key)} {quoted(group)} $ MKSTREAM" for key, group in groups)
    parts.append(_section("consumer groups, to be created with redis-cli once the server runs", commands))
    return "\n".join(part for part in parts if part)


def _header(declared: ServerTarget, environment: RedisEnvironment) -> str:
    flavour = FLAVOURS[environment.flavour]
    version = environment.version or flavour.latest
    program = "valkey-server" if environment.flavour == "valkey" else "redis-server"
    return (
        f'# Settings of server "{declared.name}" for {flavour.title} {version}, made by `keywright compile`.\n'
        f"# Run `{program} {declared.name}.conf --port 6379 --dir /data`, or `include` it in the server's own file.\n"
    )


def _section(title: str, lines: Iterable[str]) -> str:
    found = list(lines)
    return "\n".join((f"# {title[0].upper()}{title[1:]}", *found)) + "\n" if found else ""


def _lines(name: str, settings: dict[str, str]) -> Iterator[str]:
    value = settings[name]
    if name == "save" and value:
        words = value.split()
        for seconds, changes in zip(words[::2], words[1::2], strict=True):
            yield f"save {seconds} {changes}"  # one point a line: 6.2 takes no more
    elif name == "client-output-buffer-limit":
        words = value.split()
        for at in range(0, len(words), 4):
            yield f"{name} {' '.join(words[at : at + 4])}"
    elif name in _BARE and value:
        yield f"{name} {value}"
    elif name in DIRECTIVES and DIRECTIVES[name].kind == "memory":
        yield f"{name} {_size(int(value))}"
    else:
        yield f"{name} {quoted(value)}"


def _size(number: int) -> str:
    """Bytes in the largest unit that leaves no rest."""
    units = {"gb": 2**30, "mb": 2**20, "kb": 2**10}
    return next(
        (f"{number // size}{unit}" for unit, size in units.items() if number and number % size == 0), str(number)
    )


def quoted(value: str) -> str:
    """The value as redis.conf takes it: in quotes where it is empty or holds more than plain letters."""
    if value and all(letter.isalnum() or letter in "-_.:/%$" for letter in value):
        return value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
