"""Environments: the key `keywright:environment` of stacks/Pulumi.<env>.yaml, typed by what the engines declare."""

import contextlib
import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from keywright.engines.environment import Environment as EngineEnvironment
from keywright.engines.registry import NAMES, engine_named
from keywright.errors import DeclarationError, Place, UsageError, did_you_mean, report
from keywright.ir.design import Design

from .monitoring import Monitoring, read_monitoring
from .settings import Settings
from .stack import Value, plain_value, read_stack
from .typed import Wrong, build, convert

KEY = "keywright:environment"


@dataclass(frozen=True, slots=True)
class Environment:
    """Where a design is to live: everything that differs between dev and prod."""

    name: str
    """Its name, as in the file's."""
    mode: Literal["dev", "gated"] = "dev"
    """Whether it follows the models, or approved migrations only."""
    tags: Mapping[str, str] = field(default_factory=dict)
    """Labels of everything that can be labelled."""
    history: str | None = None
    """The store in which stores without a history of their own keep it."""
    position: str | None = None
    """The migration that is assumed, for previews without credentials."""
    monitoring: Monitoring = field(default_factory=Monitoring)
    """Who is told when something is wrong."""
    engines: Mapping[str, EngineEnvironment] = field(default_factory=dict)
    """Each engine's own part, by its name."""
    at: Place = field(default_factory=lambda: Place("", 0))
    """The file."""

    def of(self, engine: str) -> EngineEnvironment | None:
        """One engine's part; None if the file has none."""
        return self.engines.get(engine)


def environment_names(settings: Settings) -> tuple[str, ...]:
    """The environments that have a stack file, sorted."""
    files = (settings.root / settings.environments).glob("Pulumi.*.yaml")
    return tuple(sorted(file.name.removeprefix("Pulumi.").removesuffix(".yaml") for file in files if file.is_file()))


def stack_file(settings: Settings, name: str) -> Path:
    """The stack file of an environment; raises UsageError if there is none."""
    file = settings.root / settings.environments / f"Pulumi.{name}.yaml"
    if not file.is_file():
        known = environment_names(settings)
        help = did_you_mean(name, known) if known else f"create {settings.environments}/Pulumi.{name}.yaml"
        raise UsageError(f'there is no environment "{name}": no {settings.environments}/{file.name}', help)
    return file


def read_environment(settings: Settings, name: str) -> Environment:
    """One environment of a project; what is wrong in the file is reported line by line."""
    file = stack_file(settings, name)
    value = _find(read_stack(file), file)
    return _environment(value, name)


def told_environment(told: object, name: str) -> Environment:
    """An environment as Pulumi hands the key's value on: plain data, whose mistakes are reported without a line."""
    return _environment(plain_value(told), name)


def read_region(settings: Settings, name: str) -> str:
    """The region of AWS that the stack file of an environment says, by `aws:region`; empty if it says none."""
    config = _config(read_stack(stack_file(settings, name)))
    region = config.get("aws:region")
    return region.data if region and isinstance(region.data, str) else ""


def _config(stack: Value) -> dict[str, Value]:
    config = stack.data.get("config") if isinstance(stack.data, dict) else None
    return config.data if config and isinstance(config.data, dict) else {}


def _find(stack: Value, file: Path) -> Value:
    """The value of the key in the file's `config`."""
    found = _config(stack).get(KEY)
    if found is None:
        help = f"write, below `config:`, `{KEY}:` with a mode and a part for each engine"
        raise DeclarationError("E0406", f'the file has no "{KEY}" below "config"', Place(str(file), 1), help)
    return found


def _environment(value: Value, name: str) -> Environment:
    if not isinstance(value.data, dict):
        raise DeclarationError("E0402", f'"{KEY}" takes a mapping', value.at, "write its keys below it, indented")
    own: dict[str, Any] = {}
    parts: dict[str, EngineEnvironment] = {}
    kinds = {"mode": Literal["dev", "gated"], "tags": Mapping[str, str], "history": str, "position": str}
    for key, inner in value.data.items():
        try:
            if key in kinds:
                own[key] = convert(kinds[key], inner, key)
            elif key == "monitoring":
                own[key] = read_monitoring(inner, key)
            elif key not in NAMES:
                problem = f'an environment has no setting "{key}"'
                help = did_you_mean(key, (*kinds, "monitoring", *NAMES))
                report(DeclarationError("E0401", problem, inner.key_at, help))
        except Wrong:
            pass
    for key, inner in value.data.items():
        if key in NAMES:
            with contextlib.suppress(Wrong):
                parts[key] = build(engine_named(key).environment, inner, key, {"tags": dict(own.get("tags", {}))})
    if own.get("mode") == "gated" and "redis" in parts and not own.get("history"):
        problem = "a gated environment with Redis does not say where its migration history is kept"
        report(DeclarationError("E0405", problem, value.key_at, "add history: mongodb/<database>, or another store"))
    return Environment(name=name, engines=parts, at=value.at, **own)


def unknown_names(settings: Settings, environment: Environment, design: Design) -> Iterator[DeclarationError]:
    """Settings of single tables, keyspaces or servers that no model declares: a misspelt one would have no effect."""
    for engine, part in environment.engines.items():
        known = [physical.name for physical in design.physicals if physical.engine == engine]
        for setting in dataclasses.fields(part):
            value = getattr(part, setting.name)
            if isinstance(value, Mapping) and any(map(dataclasses.is_dataclass, value.values())):
                path = (engine, setting.name.replace("_", "-"))
                for name in value.keys() - set(known):
                    problem = f'"{".".join(path)}" has settings for "{name}", which no model declares'
                    at = _place(stack_file(settings, environment.name), (*path, name))
                    yield DeclarationError("E0407", problem, at, did_you_mean(name, known))


def _place(file: Path, path: tuple[str, ...]) -> Place:
    """Where a setting stands in a file that was read before."""
    value = _find(read_stack(file), file)
    for key in path:
        assert isinstance(value.data, dict)
        value = value.data[key]
    return value.key_at
