"""Prometheus alerts as plain data: queries, thresholds, and the series for their tests."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from keywright.record import Record, field

from ..capability import Source


class Series(Record):
    """A series of an exporter, with its values in the test of an alert."""

    metric: str
    """Its name."""
    values: str = "{value}x60"
    """In promtool's notation, one value per minute. `{value}` is the compared value, `{rest}` 100 minus the value,
    `{thousandth}` the value in a unit that is a thousand times as large, `{behind}` a million minus a thousand times
    the value, `{step}` the growth of a counter per minute that reaches the value in the window of the expression."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Its labels other than those in `Alert.by`."""


class Alert(Record, kw_only=True):
    """An alert with a fixed threshold, never on an average."""

    name: str
    """Its name."""
    expression: str
    """The compared value in PromQL, without the matchers that select the environment's series."""
    fires_when: Literal["above", "below"] = "above"
    """The side of the threshold on which it fires."""
    threshold: str | float
    """The setting with the threshold, or the number itself."""
    minutes: int = 0
    """Minutes for which the condition must hold."""
    severity: Literal["warning", "critical"] = "warning"
    """`warning` for attention on the same day, `critical` for immediate attention."""
    summary: str
    """One sentence; `{threshold}` is the number, and labels are in the notation of Prometheus."""
    series: tuple[Series, ...]
    """The series that it queries."""
    by: tuple[str, ...] = ("instance",)
    """The labels that distinguish the monitored objects."""
    window: int = 0
    """Minutes of the range query over a counter; 0 for other metrics."""


class RecordingRule(Record, kw_only=True):
    """A recording rule: a figure that Prometheus stores for later queries."""

    name: str
    """Its name by the convention of Prometheus: remaining labels, metric, operation."""
    expression: str
    """The recorded expression."""
    series: tuple[Series, ...]
    """The series that it queries."""
    by: tuple[str, ...]
    """The remaining labels."""
    window: int
    """Minutes of the range query over a counter."""


class EnvironmentAlert(Record, kw_only=True):
    """An alert in one environment."""

    alert: Alert
    """The alert."""
    threshold: float
    """The value beyond which it fires."""
    only: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Labels that a series must have, each with its allowed values."""

    @property
    def firing(self) -> float:
        """A value for which the alert fires."""
        return self.threshold + self._margin

    @property
    def quiet(self) -> float:
        """A value for which it does not fire: the threshold, or for an extrapolated counter a value short of it."""
        return max(0.0, self.threshold - self._margin) if self.alert.window else self.threshold

    @property
    def _margin(self) -> float:
        """The signed distance from the threshold to `firing`."""
        is_share = is_percent(self.alert.threshold)
        margin = min(self.threshold, 100 - self.threshold) / 2 if is_share else max(1.0, self.threshold / 10)
        return margin if self.alert.fires_when == "above" else -margin


class EngineAlerts(Record, kw_only=True):
    """The Prometheus alerts of one engine in one environment."""

    exporter: str
    """The exporter that defines the metrics, with the tested version, if any."""
    source: Source
    """The documentation of the metrics."""
    alerts: tuple[EnvironmentAlert, ...]
    """Its alerts."""
    records: tuple[RecordingRule, ...] = ()
    """Its recording rules."""


def raised(alerts: Iterable[Alert], thresholds: object) -> Iterator[EnvironmentAlert]:
    """The alerts at the thresholds of an environment, without those whose setting is null.

    thresholds: a record with a field for each setting.
    """
    for alert in alerts:
        value = getattr(thresholds, alert.threshold) if isinstance(alert.threshold, str) else alert.threshold
        if value is not None:
            yield EnvironmentAlert(alert=alert, threshold=float(value))


def is_percent(threshold: str | float) -> bool:
    """Whether a setting is a percentage, by its name."""
    return isinstance(threshold, str) and threshold.endswith("_percent")


def within(
    expression: str, series: Iterable[Series], labels: Mapping[str, str], only: Mapping[str, tuple[str, ...]]
) -> str:
    """An expression over the series of one environment only."""
    matchers = [matcher(name, value) for name, value in labels.items()]
    matchers += [_any_of(name, values) for name, values in only.items()]
    for metric in dict.fromkeys(item.metric for item in series):
        expression = re.sub(rf"\b{metric}\b(?:\{{([^}}]*)\}})?", lambda match: _restricted(match, matchers), expression)
    return expression


def _any_of(label: str, values: tuple[str, ...]) -> str:
    if len(values) == 1:
        return matcher(label, values[0])
    return matcher(label, "|".join(_META.sub(r"\\\g<0>", value) for value in values), "=~")


_META = re.compile(r"[\\.+*?()|\[\]{}^$]")
"""Characters with a special meaning in RE2."""


def matcher(label: str, value: str, operator: str = "=") -> str:
    """A matcher of one label, with the value quoted for PromQL."""
    return f"{label}{operator}{json.dumps(value, ensure_ascii=False)}"


def _restricted(match: re.Match[str], matchers: list[str]) -> str:
    name, _, _ = match[0].partition("{")
    parts = [*matchers, *([match[1]] if match[1] else [])]
    return f"{name}{{{', '.join(parts)}}}" if parts else name
