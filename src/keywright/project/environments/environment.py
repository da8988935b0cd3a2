"""Reads environments: the key `keywright:environment` of stacks/Pulumi.<env>.yaml, typed by the engines' settings."""

import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from keywright.engines.environment import EngineEnvironment as EngineEnvironment
from keywright.engines.registry import NAMES, engine_named, is_engine
from keywright.errors import DeclarationError, Place, UsageError, did_you_mean, report
from keywright.ir.design import Design
from keywright.ir.text import one_line
from keywright.record import Record, field, fields, is_record, replace

from ..settings import Settings
from .configuration import unknown_keys
from .monitoring import Monitoring, read_monitoring
from .stack_file import YamlValue, plain_value, read_stack
from .typed import InvalidSetting, build, convert

KEY = "keywright:environment"


class Environment(Record):
    """The settings that differ between environments such as dev and prod."""

    name: str
    """Its name, from the file's name."""
    mode: Literal["dev", "gated"] = "dev"
    """Whether the environment follows the models, or only approved migrations."""
    tags: Mapping[str, str] = field(default_factory=dict)
    """Tags of every resource that supports tags."""
    history: str | None = None
    """The store with the migration history of stores that cannot contain their own."""
    position: str | None = None
    """The migration that a preview without credentials assumes."""
    monitoring: Monitoring = field(default_factory=Monitoring)
    """Alarms, their topic, and labels."""
    engines: Mapping[str, EngineEnvironment] = field(default_factory=dict)
    """Each engine's settings, by the engine's name."""
    at: Place = field(default_factory=lambda: Place("", 0))
    """The file."""
    places: Mapping[tuple[str, ...], Place] = field(default_factory=dict)
    """Place of each setting in the file, by its keys from the outermost on."""
    others: Mapping[str, Place] = field(default_factory=dict)
    """Places of the file's other keys that start with `keywright:`, by the rest of the key."""

    def of(self, engine: str) -> EngineEnvironment | None:
        """One engine's settings; None if the file has none."""
        return self.engines.get(engine)


def environment_names(settings: Settings) -> tuple[str, ...]:
    """The environments that have a stack file, sorted."""
    files = (settings.root / settings.environments).glob("Pulumi.*.yaml")
    return tuple(sorted(file.name.removeprefix("Pulumi.").removesuffix(".yaml") for file in files if file.is_file()))


def stack_file(settings: Settings, name: str) -> Path:
    """The stack file of an environment; raises UsageError if there is none."""
    file = settings.root / settings.environments / f"Pulumi.{name}.yaml"
    if not file.is_file():
        names = environment_names(settings)
        help = did_you_mean(name, names) if names else f"create {settings.environments}/Pulumi.{name}.yaml"
        raise UsageError(f'there is no environment "{name}": no {settings.environments}/{file.name}', help)
    return file


def read_environment(settings: Settings, name: str) -> Environment:
    """One environment of a project; every mistake in the file is reported with its line."""
    file = stack_file(settings, name)
    stack = read_stack(file)
    own = "keywright:"
    others = {key.removeprefix(own): value.key_at for key, value in _config(stack).items() if key.startswith(own)}
    return replace(_environment(_find(stack, file), name), others=others)


def environment_of_data(data: object, name: str) -> Environment:
    """An environment of plain data, as Pulumi passes the key's value; mistakes are reported without a line."""
    return _environment(plain_value(data), name)


def read_region(settings: Settings, name: str) -> str:
    """The AWS region of an environment, from `aws:region` of its stack file; empty if the file has none."""
    config = _config(read_stack(stack_file(settings, name)))
    region = config.get("aws:region")
    return region.data if region and isinstance(region.data, str) else ""


def _config(stack: YamlValue) -> dict[str, YamlValue]:
    config = stack.data.get("config") if isinstance(stack.data, dict) else None
    return config.data if config and isinstance(config.data, dict) else {}


def _find(stack: YamlValue, file: Path) -> YamlValue:
    """The value of the key in the file's `config`."""
    value = _config(stack).get(KEY)
    if value is None:
        help = f"write, below `config:`, `{KEY}:` with a mode and a section for each engine"
        raise DeclarationError("E0406", f'the file has no "{KEY}" below "config"', Place(str(file), 1), help)
    return value


def _environment(value: YamlValue, name: str) -> Environment:
    if not isinstance(value.data, dict):
        raise DeclarationError("E0402", f'"{KEY}" takes a mapping', value.at, "write its keys below it, indented")
    if errors := [*_unstorable(value)]:
        for error in errors[:-1]:
            report(error)
        raise errors[-1]
    common: dict[str, Any] = {}
    sections: dict[str, EngineEnvironment] = {}
    kinds = {"mode": Literal["dev", "gated"], "tags": Mapping[str, str], "history": str, "position": str}
    for key, inner in value.data.items():
        try:
            if key in kinds:
                common[key] = convert(kinds[key], inner, key)
            elif key == "monitoring":
                common[key] = read_monitoring(inner, key)
            elif not is_engine(key):
                problem = f'an environment has no setting "{key}"'
                help = did_you_mean(key, (*kinds, "monitoring", *NAMES))
                report(DeclarationError("E0401", problem, inner.key_at, help))
        except InvalidSetting:
            pass
    for key, inner in value.data.items():
        if key not in kinds and key != "monitoring" and is_engine(key):
            with contextlib.suppress(InvalidSetting):
                sections[key] = build(engine_named(key).environment, inner, key, {"tags": dict(common.get("tags", {}))})
    without_history = [engine for engine in map(engine_named, sections) if not engine.has_own_history]
    if common.get("mode") == "gated" and without_history and not common.get("history"):
        problem = f"a gated environment with {without_history[0].title} has no store for the migration history"
        report(DeclarationError("E0405", problem, value.key_at, "add history: mongodb/<database>, or another store"))
    return Environment(name=name, engines=sections, at=value.at, places=dict(_places(value)), **common)


_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
"""Characters that YAML can contain as escapes, and that files, names and servers reject."""


def _unstorable(value: YamlValue, name: str = "") -> Iterator[DeclarationError]:
    """An error for each key and text below a value that contains a character which cannot be stored.

    name: the value's name in messages.
    """
    if isinstance(value.data, str) and (match := _UNSTORABLE.search(value.data)):
        yield _rejected_character(f'"{one_line(name)}"', match[0], value.at)
    elif isinstance(value.data, list):
        for inner in value.data:
            yield from _unstorable(inner, name)
    elif isinstance(value.data, dict):
        for key, inner in value.data.items():
            path = f"{name}.{key}" if name else key
            if match := _UNSTORABLE.search(key):
                yield _rejected_character(f'the key "{one_line(path)}"', match[0], inner.key_at)
            yield from _unstorable(inner, path)


def _rejected_character(where: str, character: str, at: Place) -> DeclarationError:
    kind = "half of a surrogate pair" if ord(character) else "the NUL character"
    problem = f"{where} contains {one_line(character)}, {kind}, which cannot be stored"
    return DeclarationError("E0402", problem, at, "remove the escape")


def _places(value: YamlValue, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Place]]:
    """(keys, place) of every setting below a value."""
    for key, inner in value.data.items() if isinstance(value.data, dict) else ():
        yield (*path, key), inner.key_at
        yield from _places(inner, (*path, key))


def unknown_names(settings: Settings, environment: Environment, design: Design) -> Iterator[DeclarationError]:
    """Settings of tables, keyspaces or servers that no model declares: a misspelt name would have no effect."""
    for engine, part in environment.engines.items():
        names = [physical.name for physical in design.physicals if physical.engine == engine]
        for setting in fields(part):
            value = getattr(part, setting.name)
            if isinstance(value, Mapping) and any(map(is_record, value.values())):
                path = (engine, setting.name.replace("_", "-"))
                for name in value.keys() - set(names):
                    problem = f'"{".".join(path)}" has settings for "{name}", which no model declares'
                    at = _place(stack_file(settings, environment.name), (*path, name))
                    yield DeclarationError("E0407", problem, at, did_you_mean(name, names))


def unknown_settings(environment: Environment, stores: Iterable[str]) -> Iterator[DeclarationError]:
    """Errors for keys that start with `keywright:` and have no effect; a Pulumi program rejects them too.

    stores: the models' stores. In a gated environment migrations decide the stores: every key in the form of an address
    is accepted.
    """
    stores = {*stores, environment.history or ""} if environment.mode == "dev" else ()
    for key, problem in unknown_keys(environment.others, sorted(store for store in stores if store)):
        help = f"`pulumi config rm keywright:{key}`, or correct its name"
        yield DeclarationError("E0401", problem, environment.others[key], help)


def _place(file: Path, path: tuple[str, ...]) -> Place:
    """Place of a setting in a file that has been read before."""
    value = _find(read_stack(file), file)
    for key in path:
        assert isinstance(value.data, dict)
        value = value.data[key]
    return value.key_at
