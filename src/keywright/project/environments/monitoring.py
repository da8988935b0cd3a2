"""The monitoring settings of an environment: alarms, their topic, and labels of series."""

import re
from collections.abc import Iterator, Mapping

from keywright.errors import DeclarationError, report
from keywright.record import Record, field

from .stack_file import YamlValue
from .typed import InvalidSetting, build

_TOPIC = re.compile(r"arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]+")
_LABEL = re.compile(r"[a-zA-Z_]\w*")
_TEXT = re.compile(r'[^"\\\n{}]+')


class Monitoring(Record, kw_only=True):
    """Alarms, their topic, and labels; the engines' `alerts` contain the thresholds."""

    alarms: bool = False
    """Whether the stack has CloudWatch alarms; AWS charges for each."""
    topic: str | None = None
    """ARN of the SNS topic that alarms notify; `provision(topic=...)` of a program overrides it."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Prometheus labels that all series of this environment have, such as `env: prod`."""


def read_monitoring(value: YamlValue, path: str) -> Monitoring:
    """The monitoring settings of a stack file; raises InvalidValue after reporting all mistakes in it."""
    monitoring = build(Monitoring, value, path)
    problems = list(_mistakes(monitoring, value, path))
    for problem in problems:
        report(problem)
    if problems:
        raise InvalidSetting
    return monitoring


def _mistakes(monitoring: Monitoring, value: YamlValue, path: str) -> Iterator[DeclarationError]:
    """Errors for settings of the right type that are invalid, alone or together."""
    values = _inner(value)
    if monitoring.topic is not None and not _TOPIC.fullmatch(monitoring.topic):
        problem = f'"{path}.topic" is "{monitoring.topic}", it takes the ARN of a topic'
        yield DeclarationError("E0402", problem, values["topic"].at, "write arn:aws:sns:<region>:<account>:<name>")
    if monitoring.topic is not None and not monitoring.alarms:
        problem = f'"{path}" has a topic, and no alarms that notify it'
        yield DeclarationError("E0402", problem, values["topic"].key_at, "write alarms: true, or remove topic")
    for name, text in monitoring.labels.items():
        if not _LABEL.fullmatch(name) or not _TEXT.fullmatch(text):
            problem = f'"{path}.labels" has {name}: "{text}", which is not a valid Prometheus label'
            help = "names are letters, digits and _; values have no quotes, braces or backslashes"
            yield DeclarationError("E0402", problem, _inner(values["labels"])[name].key_at, help)


def _inner(value: YamlValue) -> dict[str, YamlValue]:
    assert isinstance(value.data, dict)
    return value.data
