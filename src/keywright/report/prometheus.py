"""Alerts as Prometheus rule files, and tests of these for promtool.

Source: https://prometheus.io/docs/prometheus/latest/configuration/alerting_rules/ and .../unit_testing_rules/,
2026-11-22.
"""

import json
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from keywright.engines.monitoring.alarms import sentence
from keywright.engines.monitoring.alerts import (
    Alert,
    EngineAlerts,
    EnvironmentAlert,
    RecordingRule,
    Series,
    matcher,
    within,
)
from keywright.ir.text import exact, is_one_line, one_line

Yaml: TypeAlias = "str | int | Mapping[str, Yaml] | Sequence[Yaml]"
"""A value in a rule file."""

HOUR = 60
"""Length of the series in a test, in minutes: longer than every alert needs to fire."""

ABSENT_MINUTES = 15
"""Minutes without a metric until an alert fires."""

_SAMPLES = {
    "instance": "one:9000",
    "keyspace": "a_keyspace",
    "legacy_op_type": "query",
    "member_idx": "one:27017",
    "rs_nm": "rs0",
    "server": "a-server",
    "table": "a_table",
}
"""Values of labels in tests, by default."""

WIDTH = 110
"""Texts longer than this many characters become folded block scalars."""

_PLAIN = re.compile(r"(?!(?:y|n|yes|no|on|off|true|false|null)\Z)[a-z]([\w./ -]*[\w./-])?", re.ASCII | re.IGNORECASE)
"""Texts that YAML reads as strings without quotes."""


def rules(engine: str, title: str, environment: str, watch: EngineAlerts, labels: Mapping[str, str]) -> str:
    """Rule file of an engine in an environment, for Prometheus.

    title: the engine's name in sentences; labels: common labels of the environment's series.
    """
    rows: list[Yaml] = [_rule(alert, engine, labels) for alert in watch.alerts]
    rows += [_record(record, labels) for record in watch.records]
    rows.append(_missing(engine, title, watch, labels))
    group: Yaml = {"name": f"keywright-{environment}-{engine}", "rules": rows}
    return _head(title, environment, watch) + _yaml({"groups": [group]})


def tests(engine: str, title: str, environment: str, watch: EngineAlerts, labels: Mapping[str, str]) -> str:
    """Test file for `promtool test rules`: every alert fires in one test, and does not fire in another.

    The arguments are those of `rules`.
    """
    cases: list[Yaml] = []
    for environment_alert in watch.alerts:
        cases += [_test(environment_alert, engine, labels, fires=fires) for fires in (True, False)]
    cases += [_record_test(record, labels) for record in watch.records]
    cases += _missing_tests(engine, title, watch, labels)
    test_file: Yaml = {"rule_files": [f"{engine}.rules.yaml"], "evaluation_interval": "1m", "tests": cases}
    return _head(title, environment, watch) + _yaml(test_file)


def _head(title: str, environment: str, watch: EngineAlerts) -> str:
    return (
        f'# Alerts on {title} in "{one_line(environment)}", made by `keywright monitor`; do not edit.\n'
        f"# Metrics are those of {watch.exporter}: {watch.source.url}, {watch.source.as_of}.\n"
    )


def _rule(environment_alert: EnvironmentAlert, engine: str, labels: Mapping[str, str]) -> Yaml:
    alert = environment_alert.alert
    expression = within(alert.expression, alert.series, labels, environment_alert.only)
    sign = ">" if alert.fires_when == "above" else "<"
    operand = f"({expression})" if " and on " in expression else expression
    rule: dict[str, Yaml] = {"alert": alert.name, "expr": f"{operand} {sign} {exact(environment_alert.threshold)}"}
    if alert.minutes:
        rule["for"] = f"{alert.minutes}m"
    return rule | {
        "labels": _templates(_labels(alert.severity, engine, labels)),
        "annotations": {"summary": _summary(environment_alert)},
    }


def _labels(severity: str, engine: str, labels: Mapping[str, str]) -> Mapping[str, Yaml]:
    return {"severity": severity, "engine": engine, **labels}


def _templates(labels: Mapping[str, Yaml]) -> Mapping[str, Yaml]:
    """Labels of an alert with escaped `{{`, because Prometheus expands labels as templates.

    Source: https://prometheus.io/docs/prometheus/latest/configuration/alerting_rules/, 2026-11-23.
    """
    return {name: str(value).replace("{{", '{{ "{{" }}') for name, value in labels.items()}


def _summary(alert: EnvironmentAlert) -> str:
    """Summary of an alert; its `{{` and `}}` are templates of Prometheus."""
    return sentence(alert.alert.summary, alert.threshold)


def _record(record: RecordingRule, labels: Mapping[str, str]) -> Yaml:
    return {"record": record.name, "expr": within(record.expression, record.series, labels, {})}


def _missing(engine: str, title: str, watch: EngineAlerts, labels: Mapping[str, str]) -> Yaml:
    """Alert on absent metrics, because rules over absent metrics never fire."""
    parts = dict.fromkeys(f"absent({selector})" for selector in _selectors(watch, labels))
    return {
        "alert": _missing_name(title),
        "expr": f"count({' or '.join(parts)}) > 0",
        "for": f"{ABSENT_MINUTES}m",
        "labels": _templates(_labels("warning", engine, labels)),
        "annotations": {"summary": _missing_summary(title, watch)},
    }


def _missing_name(title: str) -> str:
    return f"{title}MetricsMissing"


def _missing_summary(title: str, watch: EngineAlerts) -> str:
    return (
        f"metrics of the alerts on {title} are missing: check that {watch.exporter} is scraped, with the right labels"
    )


def _selectors(watch: EngineAlerts, labels: Mapping[str, str]) -> Iterator[str]:
    """Selectors of all metrics; the first metric once per label value, since one instance may not be scraped."""
    for index, (series, only) in enumerate(_series(watch)):
        selections: list[Mapping[str, tuple[str, ...]]] = [only]
        if index == 0 and only:
            selections = [{name: (value,)} for name, values in only.items() for value in values]
        yield from (within(series.metric, [series], labels, selection) for selection in selections)


def _series(watch: EngineAlerts) -> Iterator[tuple[Series, Mapping[str, tuple[str, ...]]]]:
    for environment_alert in watch.alerts:
        yield from ((series, environment_alert.only) for series in environment_alert.alert.series)
    for record in watch.records:
        yield from ((series, {}) for series in record.series)


def _test(environment_alert: EnvironmentAlert, engine: str, labels: Mapping[str, str], *, fires: bool) -> Yaml:
    alert, value = environment_alert.alert, environment_alert.firing if fires else environment_alert.quiet
    own = _group_labels(alert.by, environment_alert.only)
    expected: Yaml = {
        "exp_labels": {**_labels(alert.severity, engine, labels), **own},
        "exp_annotations": {"summary": _expanded(_summary(environment_alert), own)},
    }
    return {
        "name": f"{alert.name} fires" if fires else f"{alert.name} does not fire",
        "interval": "1m",
        "input_series": [
            _input(series, labels, {**_first_values(environment_alert.only), **own}, value, alert)
            for series in alert.series
        ],
        "alert_rule_test": [
            {"eval_time": f"{HOUR - 1}m", "alertname": alert.name, "exp_alerts": [expected] if fires else []}
        ],
    }


def _group_labels(by: Iterable[str], only: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    return {name: only[name][0] if name in only else _SAMPLES[name] for name in by}


def _first_values(only: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    return {name: values[0] for name, values in only.items()}


def _label_values(only: Mapping[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    """(label, value) pairs of a selection; an arbitrary instance if it is empty."""
    return [(name, value) for name, values in only.items() for value in values] or [("instance", _SAMPLES["instance"])]


def _input(series: Series, labels: Mapping[str, str], own: Mapping[str, str], value: float, alert: Alert) -> Yaml:
    values = {
        "value": value,
        "rest": 100 - value,
        "thousandth": value / 1000,
        "behind": 1_000_000 - 1000 * value,
        "step": value / (alert.window or 1),
    }
    return {
        "series": _input_series(series, labels, own),
        "values": series.values.format(**{name: exact(number) for name, number in values.items()}),
    }


def _input_series(series: Series, labels: Mapping[str, str], own: Mapping[str, str]) -> str:
    return series.metric + _matching({**labels, **own, **series.labels})


def _matching(labels: Mapping[str, str]) -> str:
    return "{" + ", ".join(matcher(name, value) for name, value in labels.items()) + "}"


def _expanded(text: str, labels: Mapping[str, str]) -> str:
    """An annotation with its labels expanded, as Prometheus does."""
    return re.sub(r"\{\{ \$labels\.(\w+) \}\}", lambda match: labels[match[1]], text)


def _record_test(record: RecordingRule, labels: Mapping[str, str]) -> Yaml:
    own = {name: _SAMPLES[name] for name in record.by}
    inputs: list[Yaml] = [
        {"series": _input_series(series, labels, own), "values": series.values} for series in record.series
    ]
    sample: Yaml = {"labels": record.name + _matching(own), "value": 1}
    return {
        "name": f"{record.name} is recorded",
        "interval": "1m",
        "input_series": inputs,
        "promql_expr_test": [{"expr": record.name, "eval_time": f"{HOUR - 1}m", "exp_samples": [sample]}],
    }


def _missing_tests(engine: str, title: str, watch: EngineAlerts, labels: Mapping[str, str]) -> Iterator[Yaml]:
    """Tests of the alert on absent metrics: it fires without the first metric, and does not fire with all."""
    metrics = {
        _input_series(series, labels, {name: value}): series.metric
        for series, only in _series(watch)
        for name, value in _label_values(only)
    }  # fmt: skip
    first = next(iter(metrics.values()))
    expected: Yaml = {
        "exp_labels": dict(_labels("warning", engine, labels)),
        "exp_annotations": {"summary": _missing_summary(title, watch)},
    }
    for fires in (True, False):
        present = [series for series, metric in metrics.items() if not (fires and metric == first)]
        name = _missing_name(title)
        yield {
            "name": f"{name} fires" if fires else f"{name} does not fire",
            "interval": "1m",
            "input_series": [{"series": series, "values": f"1x{HOUR}"} for series in present],
            "alert_rule_test": [
                {"eval_time": f"{HOUR - 1}m", "alertname": name, "exp_alerts": [expected] if fires else []}
            ],
        }


def _yaml(value: Yaml) -> str:
    return "".join(f"{line}\n" for line in _lines(value))


def _lines(value: Yaml) -> Iterator[str]:
    """YAML lines of a mapping or list, written without a library because the core imports none."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            key = _scalar(key)
            if isinstance(inner, str) and len(inner) > WIDTH and " " in inner and is_one_line(inner):
                yield f"{key}: >-"
                yield from (f"  {line}" for line in _folded(inner))
            elif isinstance(inner, (str, int)) or not inner:
                yield f"{key}: {_scalar(inner)}"
            else:
                yield f"{key}:"
                yield from (f"  {line}" for line in _lines(inner))
    elif isinstance(value, Sequence):
        for element in value:
            first, *rest = [_scalar(element)] if isinstance(element, (str, int)) else list(_lines(element))
            yield f"- {first}"
            yield from (f"  {line}" for line in rest)


def _folded(text: str) -> list[str]:
    """Lines of a folded text: a sentence is wrapped at the width, an expression before its operators."""
    if "{{" in text or "(" not in text:
        return textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)
    return re.sub(r" (?=(?:or absent|and on |- on |[/+] ))", "\n", text).split("\n")


def _scalar(value: Yaml) -> str:
    if not isinstance(value, str):
        return str(value) if isinstance(value, int) else "[]"
    if not is_one_line(value):
        return one_line(json.dumps(value, ensure_ascii=False))
    return value if _PLAIN.fullmatch(value) or re.fullmatch(r"\d+m", value) else "'" + value.replace("'", "''") + "'"
