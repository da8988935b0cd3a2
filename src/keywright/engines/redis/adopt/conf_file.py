"""Configuration files as servers: redis.conf, with the files that it includes."""

import fnmatch
import os.path
import re
from collections.abc import Iterator, Mapping
from pathlib import PurePath

from keywright.engines.contract.adoption import NotExpressed, Schema

from ..schema.capabilities import DIRECTIVES, MODULE_PREFIXES, NAME_PATTERN, OWN_WORDS, PROCESS
from ..schema.directive import canonical
from ..schema.target import ServerTarget
from .conf_lines import ConfLine, lines_of
from .key_file import SUFFIX, is_keys, sample_of

SUFFIXES = (".conf", SUFFIX)
"""Suffixes of configuration files, and of files with keys."""

LARGEST = 4 * 1024 * 1024
"""Most characters of a configuration file; the one of a distribution, with all its comments, has some 100,000."""

_EXPRESSED = ("maxmemory-policy", "appendonly", "appendfsync", "save")
"""Directives that have words of their own."""

_ALSO = frozenset((*DIRECTIVES, *PROCESS, *OWN_WORDS, "include"))
_UNKNOWN = "the redis.conf of the current versions has no such directive"


def included(text: str) -> tuple[str, ...]:
    """See `Adoption.included`."""
    return tuple(line.words[0] for line in lines_of("", text) if line.name == "include" and line.words)


def read_schema(paths: Mapping[str, str]) -> Schema | None:
    """See `Adoption.read_schema`: a server for each file that no other file includes."""
    keys = {path: text for path, text in paths.items() if is_keys(text)}
    paths = {path: text for path, text in paths.items() if path not in keys}
    if not all(map(_is_conf, paths.values())):
        return None
    inner = {other for path, text in paths.items() for other in _matching(path, text, paths) if other != path}
    servers: list[ServerTarget] = []
    problems: list[NotExpressed] = []
    for path in paths:
        if path not in inner:
            reader = _ConfReader(paths)
            servers.append(reader.server(path))
            problems += reader.problems
    if not keys:
        return Schema(tuple(servers), {}, tuple(problems))
    servers = servers or [ServerTarget("redis", 1, ())]
    return Schema(tuple(servers), {servers[0].name: sample_of(keys)}, (*problems, *_beside_keys(servers, keys)))


def _beside_keys(servers: list[ServerTarget], keys: Mapping[str, str]) -> Iterator[NotExpressed]:
    """A note if it is unclear to which server keys belong."""
    if len(servers) > 1:
        yield NotExpressed(next(iter(keys)), f'its keys are read as those of "{servers[0].name}"')


def _is_conf(text: str) -> bool:
    """Whether the lines are directives: at least one known, and most of them."""
    if len(text) > LARGEST:
        return False
    names = [line.name for line in lines_of("", text)]
    count = sum(name in _ALSO or name.replace("slave", "replica") in _ALSO for name in names)
    return 0 < count >= len(names) / 2


def _matching(path: str, text: str, paths: Mapping[str, str]) -> Iterator[str]:
    """The files that a file includes."""
    for pattern in included(text):
        yield from sorted(fnmatch.filter(paths, _beside(path, pattern)))


def _beside(path: str, pattern: str) -> str:
    return os.path.normpath(PurePath(path).parent / pattern)


class _ConfReader:
    """Reads one server's files."""

    def __init__(self, paths: Mapping[str, str]) -> None:
        self._paths = paths
        self._settings: dict[str, str] = {}
        self._adds_points = True
        self.problems: list[NotExpressed] = []

    def server(self, path: str) -> ServerTarget:
        """The server of a file."""
        for line in self._lines(path, ()):
            self._read(line)
        stem = re.sub(r"[^A-Za-z0-9_.-]+", "-", PurePath(path).stem).strip("-._")
        name = stem if re.fullmatch(NAME_PATTERN, stem) else "redis"
        return ServerTarget(name, 1, tuple(sorted(self._settings.items())))

    def _lines(self, path: str, outer: tuple[str, ...]) -> Iterator[ConfLine]:
        """The directives of a file, with those of included files in the place of their `include`."""
        self._adds_points = True
        for line in lines_of(path, self._paths[path]):
            if line.name != "include" or not line.words:
                yield line
                continue
            inner = sorted(fnmatch.filter(self._paths, _beside(path, line.words[0])))
            for other in inner:
                if other not in (*outer, path):
                    yield from self._lines(other, (*outer, path))
            self._adds_points = False
            if not inner and not set("*?[") & set(line.words[0]):
                self._miss(line.at, "the included file does not exist, or has no directives")

    def _read(self, line: ConfLine) -> None:
        name = _current(line.name)
        directive = DIRECTIVES.get(name)
        if not line.name:
            self._miss(line.at, "unbalanced quotes")
        elif name == "protected-mode" and line.words == ("yes",):
            return  # every rendered file has it
        elif name in PROCESS and (setting := _setting(name)):
            self._miss(line.at, f'"{line.name}": set {setting}: in stacks/Pulumi.<env>.yaml')
        elif name in PROCESS:
            self._miss(line.at, f'"{line.name}" belongs to the process, not to its data')
        elif directive is None and name in OWN_WORDS:
            self._miss(line.at, f'"{line.name}": {OWN_WORDS[name]}')
        elif directive is None:
            module = next((title for start, title in MODULE_PREFIXES.items() if name.startswith(start)), "")
            reason = f"a directive of the {module} module" if module else _UNKNOWN
            self._miss(line.at, f'"{line.name}": {reason}')
        elif name in OWN_WORDS and name not in _EXPRESSED:
            self._miss(line.at, f'"{line.name}": {OWN_WORDS[name]}')
        else:
            self._set(line, name)

    def _set(self, line: ConfLine, name: str) -> None:
        """Set a directive as its last line does; classes of buffers are added, and points of `save` up to an `include`.

        After an `include`, each `save` replaces the earlier ones: seen on Redis 7.0.15 and Valkey 9.1.2, 2026-11-28.
        """
        words = [word for word in line.words if word] if name == "save" else list(line.words)
        text = " ".join(words)
        is_added = self._adds_points if name == "save" else name == "client-output-buffer-limit"
        if is_added and text and (earlier := self._settings.get(name)):
            text = f"{earlier} {text}"
        try:
            if not line.words or (len(line.words) > 1 and DIRECTIVES[name].kind in _SINGLE):
                raise ValueError("one value" if line.words else "a value")
            self._settings[name] = canonical(DIRECTIVES[name], text)
        except ValueError as error:
            self._miss(line.at, f'"{line.name}" has a wrong value: it takes {error}')

    def _miss(self, at: str, reason: str) -> None:
        self.problems.append(NotExpressed(at, reason))


_SINGLE = frozenset(("flag", "integer", "memory", "share", "word", "text", "events"))
"""Kinds of directives that take one word."""


def _setting(name: str) -> str:
    """The setting of an environment that writes a directive of the process; empty if none does."""
    if name.startswith("tls-"):
        return "tls"
    return "users" if name in ("aclfile", "user") else ""


def _current(name: str) -> str:
    """The current name of a directive with older names."""
    newer = name.replace("slave", "replica")
    name = newer if newer in DIRECTIVES else name
    return DIRECTIVES[name].renamed or name if name in DIRECTIVES else name
