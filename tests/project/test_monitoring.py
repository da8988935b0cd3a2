"""Monitoring settings of a stack file, and errors with file and line."""

from pathlib import Path

import pytest
from tests.projects import a_project

from keywright.errors import gathering
from keywright.project.environments.environment import read_environment
from keywright.project.environments.monitoring import Monitoring

HEAD = "config:\n  keywright:environment:\n"
TOPIC = "arn:aws:sns:eu-west-1:123456789012:on-call"


def test_who_is_told_and_from_where_on(tmp_path: Path) -> None:
    text = f"""{HEAD}
    monitoring: {{alarms: true, topic: "{TOPIC}", labels: {{env: prod}}}}
    redis: {{flavour: redis, alerts: {{evicted: 500, hits-percent: null, fragmentation: 2.5, swap: 1mb}}}}
    """
    settings = a_project(tmp_path, {"stacks/Pulumi.dev.yaml": text})
    environment = read_environment(settings, "dev")
    assert environment.monitoring == Monitoring(alarms=True, topic=TOPIC, labels={"env": "prod"})
    alerts = getattr(environment.of("redis"), "alerts", None)
    assert alerts is not None
    assert (alerts.evicted, alerts.hits_percent, alerts.fragmentation, alerts.swap) == (500, None, 2.5, 1_048_576)
    assert alerts.memory_percent == 90


def test_nobody_is_told_unless_it_is_said(tmp_path: Path) -> None:
    settings = a_project(tmp_path, {"stacks/Pulumi.dev.yaml": f"{HEAD}    mode: dev\n"})
    assert read_environment(settings, "dev").monitoring == Monitoring()


@pytest.mark.parametrize(
    ("line", "problem", "help"),
    [
        (
            "monitoring: {alarm: true}",
            'error[E0401]: "monitoring" has no setting "alarm"',
            'did you mean "alarms"?',
        ),
        (
            "monitorng: {alarms: true}",
            'error[E0401]: an environment has no setting "monitorng"',
            'did you mean "monitoring"?',
        ),
        (
            "monitoring: yes",
            'error[E0402]: "monitoring" is true, it takes a mapping',
            "write its keys below it, indented",
        ),
        (
            "monitoring: {alarms: true, topic: on-call}",
            'error[E0402]: "monitoring.topic" is "on-call", it takes the ARN of a topic',
            "write arn:aws:sns:<region>:<account>:<name>",
        ),
        (
            f'monitoring: {{topic: "{TOPIC}"}}',
            'error[E0402]: "monitoring" has a topic, and no alarms that notify it',
            "write alarms: true, or remove topic",
        ),
        (
            "monitoring: {labels: {my-env: prod}}",
            'error[E0402]: "monitoring.labels" has my-env: "prod", which is not a valid Prometheus label',
            "names are letters, digits and _; values have no quotes, braces or backslashes",
        ),
        (
            "redis: {flavour: redis, alerts: {hits-percent: 100}}",
            'error[E0402]: "redis.alerts.hits-percent" is 100, it takes 1 to 99',
            "correct the number, or write null to disable the alert",
        ),
        (
            "redis: {flavour: redis, alerts: {evicted: -1}}",
            'error[E0402]: "redis.alerts.evicted" is -1, it takes 0 or more',
            "correct the number, or write null to disable the alert",
        ),
        (
            "redis: {flavour: redis, alerts: {evicted: many}}",
            'error[E0402]: "redis.alerts.evicted" is "many", it takes a number',
            "write 0 or more",
        ),
        (
            "mongodb: {flavour: mongodb, alerts: {lag: 10}}",
            'error[E0401]: "mongodb.alerts" has no setting "lag"',
            "",
        ),
        (
            "dynamodb: {flavour: dynamodb, alerts: {ttl-silent-days: 8}}",
            'error[E0402]: "dynamodb.alerts.ttl-silent-days" is 8, it takes',
            "",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_line(line: str, problem: str, help: str, tmp_path: Path) -> None:
    settings = a_project(tmp_path, {"stacks/Pulumi.dev.yaml": f"{HEAD}    mode: dev\n    {line}\n"})
    with gathering() as errors:
        read_environment(settings, "dev")
    (message,) = map(str, errors)
    assert f"Pulumi.dev.yaml:4: {problem}" in message
    assert help in message
