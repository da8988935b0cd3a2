"""Monitoring's part of an environment: who is told, and how its series are known."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from keywright.errors import DeclarationError, report

from .stack import Value
from .typed import Wrong, build

_TOPIC = re.compile(r"arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]+")
_LABEL = re.compile(r"[a-zA-Z_]\w*")
_TEXT = re.compile(r'[^"\\\n{}]+')


@dataclass(frozen=True, slots=True, kw_only=True)
class Monitoring:
    """Who is told when something is wrong; from where on, the engines' parts say by `alerts`."""

    alarms: bool = False
    """Whether the stack has alarms of CloudWatch; each costs something."""
    topic: str | None = None
    """The ARN of the SNS topic that they tell; a program may give another by `provision(topic=...)`."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """What the series of this environment have in common in Prometheus, such as `env: prod`."""


def read_monitoring(value: Value, path: str) -> Monitoring:
    """The part from a stack file; Wrong after all mistakes in it were reported."""
    made = build(Monitoring, value, path)
    problems = list(_wrong(made, value, path))
    for problem in problems:
        report(problem)
    if problems:
        raise Wrong
    return made


def _wrong(made: Monitoring, value: Value, path: str) -> Iterator[DeclarationError]:
    """What does not fit together, or is of the right type alone."""
    given = _inner(value)
    if made.topic is not None and not _TOPIC.fullmatch(made.topic):
        problem = f'"{path}.topic" is "{made.topic}", it takes the ARN of a topic'
        yield DeclarationError("E0402", problem, given["topic"].at, "write arn:aws:sns:<region>:<account>:<name>")
    if made.topic is not None and not made.alarms:
        problem = f'"{path}" has a topic and no alarms that tell it'
        yield DeclarationError("E0402", problem, given["topic"].key_at, "say alarms: true, or leave out topic")
    for name, text in made.labels.items():
        if not _LABEL.fullmatch(name) or not _TEXT.fullmatch(text):
            problem = f'"{path}.labels" has {name}: "{text}", which is no label of Prometheus'
            help = "names are letters, digits and _; values have no quotes, braces or backslashes"
            yield DeclarationError("E0402", problem, _inner(given["labels"])[name].key_at, help)


def _inner(value: Value) -> dict[str, Value]:
    assert isinstance(value.data, dict)
    return value.data
