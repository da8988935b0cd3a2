"""The tables of docs/monitoring.md are what the alerts and settings say."""

from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.docs.test_examples import _documented, _said, _table, _takes

from keywright.engines.cassandra.monitoring.alerts import slow
from keywright.engines.monitoring.alarms import Alarm
from keywright.engines.monitoring.alerts import Alert
from keywright.engines.registry import ENGINES
from keywright.record import fields

PAGE = Path(__file__).parents[2] / "docs" / "monitoring.md"


def _all(engine: str, kind: type) -> list[Any]:
    """Every alert or alarm that a module of alerts declares, in order."""
    result: dict[str, Any] = {}

    def look(value: Any) -> None:
        if isinstance(value, kind):
            result.setdefault(value.name, value)  # type: ignore[attr-defined]
        elif isinstance(value, dict | tuple):
            for entry in value.values() if isinstance(value, dict) else value:
                look(entry)

    for value in vars(import_module(f"keywright.engines.{engine}.monitoring.alerts")).values():
        look(value)
    return list(result.values())


def _alerts() -> Iterable[tuple[str, ...]]:
    for engine in ENGINES:
        result = _all(engine.name, Alert)
        if engine.name == "cassandra":
            result += [slow("read", 0), slow("write", 0)]
        for entry in result:
            setting = f"`{_kebab(entry.threshold)}`" if isinstance(entry.threshold, str) else "`p99_ms` of patterns"
            setting = setting if entry.name.endswith("Slow") or isinstance(entry.threshold, str) else ""
            yield (
                engine.title,
                f"`{entry.name}`",
                entry.severity,
                f"{entry.minutes} min" if entry.minutes else "at once",
                setting,
            )


def _alarms() -> Iterable[tuple[str, ...]]:
    for engine in ENGINES:
        for entry in _all(engine.name, Alarm):
            setting = f"`{_kebab(entry.threshold)}`" if entry.threshold else "`p99_ms` of patterns"
            setting = "`ttl-silent-days`" if entry.name == "ttl-silent" else setting
            yield (
                engine.title,
                f"`{entry.name}`",
                f"`{entry.metric}`",
                entry.statistic,
                f"{entry.periods} x {entry.period} s",
                setting,
            )


def _thresholds() -> Iterable[tuple[str, ...]]:
    for engine in ENGINES:
        alerts: Any = type(next(field for field in fields(engine.environment) if field.name == "alerts").default)
        said, kinds = _said(alerts), import_module("typing").get_type_hints(alerts)
        for field in fields(alerts):
            default = str(field.default).lower() if field.default is not None else "null"
            yield engine.title, f"`{_kebab(field.name)}`", _takes(kinds[field.name]), f"`{default}`", said[field.name]


def _kebab(name: str) -> str:
    return name.replace("_", "-")


def test_the_tables_are_what_the_alerts_say(is_golden: Callable[[Path, str], bool]) -> None:
    alerts = _table(("engine", "alert", "severity", "after", "threshold"), _alerts())
    assert is_golden(PAGE, _documented(PAGE, "alerts", alerts))
    alarms = _table(("engine", "alarm", "metric", "statistic", "periods", "threshold"), _alarms())
    assert is_golden(PAGE, _documented(PAGE, "alarms", alarms))
    thresholds = _table(("engine", "setting", "takes", "default", "meaning"), _thresholds())
    assert is_golden(PAGE, _documented(PAGE, "thresholds", thresholds))
