"""Alerts as rule files of Prometheus, and as tests of these that promtool runs.

Source: https://prometheus.io/docs/prometheus/latest/configuration/alerting_rules/ and .../unit_testing_rules/,
2026-11-22.
"""

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from keywright.engines.alarms import shown
from keywright.engines.alerts import Alert, Raised, Record, Series, Watch, within

Yaml: TypeAlias = "str | int | Mapping[str, Yaml] | Sequence[Yaml]"
"""What a rule file consists of."""

HOUR = 60
"""Minutes that the series of a test run, by the end of which everything is told that will be."""

ABSENT_MINUTES = 15
"""How long a metric must be gone before that is told."""

_SAMPLES = {
    "instance": "one:9000",
    "keyspace": "a_keyspace",
    "legacy_op_type": "query",
    "member_idx": "one:27017",
    "rs_nm": "rs0",
    "server": "a-server",
    "table": "a_table",
}
"""What labels are in tests, where nothing else says it."""

WIDTH = 110
"""From how many characters on a text has lines of its own."""

_PLAIN = re.compile(r"[A-Za-z][\w./ -]*")


def rules(engine: str, title: str, environment: str, watch: Watch, labels: Mapping[str, str]) -> str:
    """The rule file of an engine in an environment, for Prometheus.

    title: the engine's name in sentences; labels: what the series of the environment have in common.
    """
    found: list[Yaml] = [_rule(one, engine, labels) for one in watch.alerts]
    found += [_record(one, labels) for one in watch.records]
    found.append(_missing(engine, title, watch, labels))
    group: Yaml = {"name": f"keywright-{environment}-{engine}", "rules": found}
    return _head(title, environment, watch) + _yaml({"groups": [group]})


def tests(engine: str, title: str, environment: str, watch: Watch, labels: Mapping[str, str]) -> str:
    """What `promtool test rules` runs: every alert is told when it should be, and not told when it should not.

    The arguments are those of `rules`.
    """
    found: list[Yaml] = []
    for one in watch.alerts:
        found += [_test(one, engine, labels, is_told=is_told) for is_told in (True, False)]
    found += [_record_test(one, labels) for one in watch.records]
    found += _missing_tests(engine, title, watch, labels)
    whole: Yaml = {"rule_files": [f"{engine}.rules.yaml"], "evaluation_interval": "1m", "tests": found}
    return _head(title, environment, watch) + _yaml(whole)


def _head(title: str, environment: str, watch: Watch) -> str:
    return (
        f'# Alerts on {title} in "{environment}", made by `keywright monitor`; do not edit.\n'
        f"# Metrics are those of {watch.exporter}: {watch.source.url}, {watch.source.as_of}.\n"
    )


def _rule(one: Raised, engine: str, labels: Mapping[str, str]) -> Yaml:
    alert = one.alert
    expression = within(alert.expression, alert.series, labels, one.only)
    sign = ">" if alert.tells == "above" else "<"
    whole = f"({expression})" if " and on " in expression else expression
    rule: dict[str, Yaml] = {"alert": alert.name, "expr": f"{whole} {sign} {shown(one.threshold)}"}
    if alert.minutes:
        rule["for"] = f"{alert.minutes}m"
    return rule | {"labels": _labels(alert.severity, engine, labels), "annotations": {"summary": _summary(one)}}


def _labels(severity: str, engine: str, labels: Mapping[str, str]) -> Mapping[str, Yaml]:
    return {"severity": severity, "engine": engine, **labels}


def _summary(one: Raised) -> str:
    """`{{` and `}}` are Prometheus's own."""
    return one.alert.summary.replace("{threshold}", shown(one.threshold))


def _record(one: Record, labels: Mapping[str, str]) -> Yaml:
    return {"record": one.name, "expr": within(one.expression, one.series, labels, {})}


def _missing(engine: str, title: str, watch: Watch, labels: Mapping[str, str]) -> Yaml:
    """That a metric is gone: rules over metrics that are not there never tell anything."""
    parts = dict.fromkeys(f"absent({chosen})" for chosen in _all_of(watch, labels))
    return {
        "alert": _missing_name(title),
        "expr": f"count({' or '.join(parts)}) > 0",
        "for": f"{ABSENT_MINUTES}m",
        "labels": _labels("warning", engine, labels),
        "annotations": {"summary": _missing_summary(title, watch)},
    }


def _missing_name(title: str) -> str:
    return f"{title}MetricsMissing"


def _missing_summary(title: str, watch: Watch) -> str:
    return f"metrics are missing that alerts on {title} ask for: is {watch.exporter} scraped, under the right labels?"


def _all_of(watch: Watch, labels: Mapping[str, str]) -> Iterator[str]:
    """Every metric; the first one of each thing that a label tells apart, of which one may not be scraped."""
    for at, (one, only) in enumerate(_asked(watch)):
        each: list[Mapping[str, tuple[str, ...]]] = [only]
        if at == 0 and only:
            each = [{name: (value,)} for name, values in only.items() for value in values]
        yield from (within(one.metric, [one], labels, chosen) for chosen in each)


def _asked(watch: Watch) -> Iterator[tuple[Series, Mapping[str, tuple[str, ...]]]]:
    for one in watch.alerts:
        yield from ((series, one.only) for series in one.alert.series)
    for record in watch.records:
        yield from ((series, {}) for series in record.series)


def _test(one: Raised, engine: str, labels: Mapping[str, str], *, is_told: bool) -> Yaml:
    alert, value = one.alert, one.firing if is_told else one.quiet
    own = _own(alert.by, one.only)
    expected: Yaml = {
        "exp_labels": {**_labels(alert.severity, engine, labels), **own},
        "exp_annotations": {"summary": _filled(_summary(one), own)},
    }
    return {
        "name": f"{alert.name} is told" if is_told else f"{alert.name} is not told",
        "interval": "1m",
        "input_series": [_input(series, labels, {**_first(one.only), **own}, value, alert) for series in alert.series],
        "alert_rule_test": [
            {"eval_time": f"{HOUR - 1}m", "alertname": alert.name, "exp_alerts": [expected] if is_told else []}
        ],
    }


def _own(by: Iterable[str], only: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    return {name: only[name][0] if name in only else _SAMPLES[name] for name in by}


def _first(only: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    return {name: values[0] for name, values in only.items()}


def _each(only: Mapping[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    """Every value of a label; one that matters to nothing where none is chosen."""
    return [(name, value) for name, values in only.items() for value in values] or [("instance", _SAMPLES["instance"])]


def _input(series: Series, labels: Mapping[str, str], own: Mapping[str, str], value: float, alert: Alert) -> Yaml:
    told = {
        "value": value,
        "rest": 100 - value,
        "thousandth": value / 1000,
        "behind": 1_000_000 - 1000 * value,
        "step": value / (alert.window or 1),
    }
    return {
        "series": _called(series, labels, own),
        "values": series.values.format(**{name: shown(number) for name, number in told.items()}),
    }


def _called(series: Series, labels: Mapping[str, str], own: Mapping[str, str]) -> str:
    return series.metric + _matching({**labels, **own, **series.labels})


def _matching(labels: Mapping[str, str]) -> str:
    return "{" + ", ".join(f'{name}="{value}"' for name, value in labels.items()) + "}"


def _filled(text: str, labels: Mapping[str, str]) -> str:
    """An annotation as Prometheus fills it in."""
    return re.sub(r"\{\{ \$labels\.(\w+) \}\}", lambda found: labels[found[1]], text)


def _record_test(one: Record, labels: Mapping[str, str]) -> Yaml:
    own = {name: _SAMPLES[name] for name in one.by}
    inputs: list[Yaml] = [{"series": _called(series, labels, own), "values": series.values} for series in one.series]
    sample: Yaml = {"labels": one.name + _matching(own), "value": 1}
    return {
        "name": f"{one.name} is written down",
        "interval": "1m",
        "input_series": inputs,
        "promql_expr_test": [{"expr": one.name, "eval_time": f"{HOUR - 1}m", "exp_samples": [sample]}],
    }


def _missing_tests(engine: str, title: str, watch: Watch, labels: Mapping[str, str]) -> Iterator[Yaml]:
    """Told when the first metric is gone, not told when all are there."""
    found = {
        _called(one, labels, {name: value}): one.metric
        for one, only in _asked(watch)
        for name, value in _each(only)
    }  # fmt: skip
    first = next(iter(found.values()))
    expected: Yaml = {
        "exp_labels": dict(_labels("warning", engine, labels)),
        "exp_annotations": {"summary": _missing_summary(title, watch)},
    }
    for is_told in (True, False):
        there = [called for called, metric in found.items() if not (is_told and metric == first)]
        name = _missing_name(title)
        yield {
            "name": f"{name} is told" if is_told else f"{name} is not told",
            "interval": "1m",
            "input_series": [{"series": called, "values": f"1x{HOUR}"} for called in there],
            "alert_rule_test": [
                {"eval_time": f"{HOUR - 1}m", "alertname": name, "exp_alerts": [expected] if is_told else []}
            ],
        }


def _yaml(value: Yaml) -> str:
    return "".join(f"{line}\n" for line in _lines(value))


def _lines(value: Yaml) -> Iterator[str]:
    """A mapping or a list as lines of YAML, without the library: the core imports none."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if isinstance(inner, str) and len(inner) > WIDTH and " " in inner:
                yield f"{key}: >-"
                yield from (f"  {line}" for line in _folded(inner))
            elif isinstance(inner, (str, int)) or not inner:
                yield f"{key}: {_scalar(inner)}"
            else:
                yield f"{key}:"
                yield from (f"  {line}" for line in _lines(inner))
    elif isinstance(value, Sequence):
        for one in value:
            first, *rest = [_scalar(one)] if isinstance(one, (str, int)) else list(_lines(one))
            yield f"- {first}"
            yield from (f"  {line}" for line in rest)


def _folded(text: str) -> list[str]:
    """A long text in lines that stand for one: a sentence where it is full, an expression before its operators."""
    if "{{" in text or "(" not in text:
        return textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)
    return re.sub(r" (?=(?:or absent|and on |- on |[/+] ))", "\n", text).split("\n")


def _scalar(value: Yaml) -> str:
    if not isinstance(value, str):
        return str(value) if isinstance(value, int) else "[]"
    return value if _PLAIN.fullmatch(value) or re.fullmatch(r"\d+m", value) else "'" + value.replace("'", "''") + "'"
