"""Alerts of Prometheus as plain data: what is asked, from which value on it is told, and what shows both."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from .capability import Source


@dataclass(frozen=True, slots=True)
class Series:
    """A series of an exporter, as the test of an alert lets it run."""

    metric: str
    """Its name."""
    values: str = "{value}x60"
    """In promtool's notation, a value a minute. `{value}` stands for what is compared, `{rest}` for what it lacks to
    100, `{thousandth}` for it in a unit that is a thousand times as large, `{behind}` for a million without a thousand
    times it, `{step}` for what a counter grows by in a minute to come to it in the window of the expression."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Its labels beside those that tell apart what is alerted on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """An alert: fixed thresholds, and never a mean."""

    name: str
    """Its name."""
    expression: str
    """What is compared, in PromQL, without what chooses the environment's series."""
    tells: Literal["above", "below"] = "above"
    """On which side of the threshold it is told."""
    threshold: str | float
    """The setting that says from where on, or the number itself."""
    minutes: int = 0
    """How long it must have been so."""
    severity: Literal["warning", "critical"] = "warning"
    """Whether somebody is to look at it today, or at once."""
    summary: str
    """One sentence; `{threshold}` stands for the number, and labels as Prometheus writes them."""
    series: tuple[Series, ...]
    """What it asks."""
    by: tuple[str, ...] = ("instance",)
    """The labels that tell apart what is alerted on."""
    window: int = 0
    """Minutes over which a counter is asked; 0 for what is no counter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A figure that is written down, for who asks later."""

    name: str
    """Its name, as Prometheus wants it: what is left of the labels, the metric, what was done."""
    expression: str
    """What is written down."""
    series: tuple[Series, ...]
    """What it asks."""
    by: tuple[str, ...]
    """The labels that are left."""
    window: int
    """Minutes over which a counter is asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Raised:
    """An alert in one environment."""

    alert: Alert
    """The alert."""
    threshold: float
    """From where on."""
    only: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Labels that a series must have, each with one of some values."""

    @property
    def firing(self) -> float:
        """A value that is told."""
        return self.threshold + self._margin

    @property
    def quiet(self) -> float:
        """A value that is not: the threshold itself, and of a counter, whose growth is a guess, one before it."""
        return max(0.0, self.threshold - self._margin) if self.alert.window else self.threshold

    @property
    def _margin(self) -> float:
        """From the threshold to the side on which it is told."""
        is_share = is_percent(self.alert.threshold)
        margin = min(self.threshold, 100 - self.threshold) / 2 if is_share else max(1.0, self.threshold / 10)
        return margin if self.alert.tells == "above" else -margin


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """What Prometheus is told of one engine in one environment."""

    exporter: str
    """The exporter whose names are asked, with its version where it was seen at work."""
    source: Source
    """Where the names stand."""
    alerts: tuple[Raised, ...]
    """What is told."""
    records: tuple[Record, ...] = ()
    """What is written down."""


def raised(alerts: Iterable[Alert], thresholds: object) -> Iterator[Raised]:
    """The alerts at the thresholds of an environment; one whose setting is null is left out.

    thresholds: a dataclass with a field for each setting.
    """
    for alert in alerts:
        value = getattr(thresholds, alert.threshold) if isinstance(alert.threshold, str) else alert.threshold
        if value is not None:
            yield Raised(alert=alert, threshold=float(value))


def is_percent(threshold: str | float) -> bool:
    """Whether a setting is a share of a hundred, which its name says."""
    return isinstance(threshold, str) and threshold.endswith("_percent")


def within(
    expression: str, series: Iterable[Series], labels: Mapping[str, str], only: Mapping[str, tuple[str, ...]]
) -> str:
    """An expression over the series of one environment alone."""
    chosen = [f'{name}="{value}"' for name, value in labels.items()]
    chosen += [_one_of(name, values) for name, values in only.items()]
    for metric in dict.fromkeys(one.metric for one in series):
        expression = re.sub(rf"\b{metric}\b(?:\{{([^}}]*)\}})?", lambda found: _chosen(found, chosen), expression)
    return expression


def _one_of(label: str, values: tuple[str, ...]) -> str:
    return f'{label}="{values[0]}"' if len(values) == 1 else f'{label}=~"{"|".join(values)}"'


def _chosen(found: re.Match[str], chosen: list[str]) -> str:
    name, _, _ = found[0].partition("{")
    parts = [*chosen, *([found[1]] if found[1] else [])]
    return f"{name}{{{', '.join(parts)}}}" if parts else name
