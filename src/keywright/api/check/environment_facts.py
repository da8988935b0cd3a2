"""Facts about environments for rules, read from stack files."""

import contextlib
from collections.abc import Iterator

from keywright.engines.findings.environment_facts import EnvironmentFacts, StackText, production_sign
from keywright.errors import DeclarationError, UsageError, gathering
from keywright.project.environments.environment import (
    Environment,
    environment_names,
    read_environment,
    stack_file,
)
from keywright.project.environments.stack_file import YamlValue, read_stack
from keywright.project.settings import Settings


def facts_of(settings: Settings, environment: Environment) -> EnvironmentFacts:
    """The facts of an environment."""
    return EnvironmentFacts(
        name=environment.name,
        mode=environment.mode,
        labels=_labels(environment),
        engines=environment.engines,
        texts=tuple(_texts(settings, environment.name)),
        at=environment.at,
        mode_at=environment.places.get(("mode",), environment.at),
    )


def is_judged_as_development(environment: Environment) -> bool:
    """Whether rules judge an environment mildly: it follows its models, and is not production by its name or label."""
    return environment.mode == "dev" and production_sign(environment.name, _labels(environment)) is None


def _labels(environment: Environment) -> dict[str, str]:
    return {**environment.tags, **environment.monitoring.labels}


def facts_of_others(settings: Settings, name: str) -> tuple[EnvironmentFacts, ...]:
    """The facts of all environments but one, without those whose files have errors."""
    facts: list[EnvironmentFacts] = []
    for other in environment_names(settings):
        with contextlib.suppress(DeclarationError), gathering() as errors:
            if other != name:
                environment = read_environment(settings, other)
                facts += [facts_of(settings, environment)] if not errors else []
    return tuple(facts)


def _texts(settings: Settings, name: str) -> Iterator[StackText]:
    """All texts of a stack file; none for an environment without a file, as in a Pulumi program."""
    with contextlib.suppress(UsageError):
        yield from _inside(read_stack(stack_file(settings, name)), "")


def _inside(value: YamlValue, key: str) -> Iterator[StackText]:
    if isinstance(value.data, str):
        yield StackText(key.removeprefix("config."), value.data, value.at)
    elif isinstance(value.data, dict):
        for name, inner in value.data.items():
            if name != "secure":  # encrypted by Pulumi
                yield from _inside(inner, f"{key}.{name}" if key else name)
    elif isinstance(value.data, list):
        for inner in value.data:
            yield from _inside(inner, key)
