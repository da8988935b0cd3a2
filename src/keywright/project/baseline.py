"""`baseline.json`: the findings that existed when a project adopted a rule. They do not fail a check; the file only
shrinks."""

import json
from collections import Counter
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

from keywright.errors import UsageError
from keywright.ir.json import Json, listed
from keywright.record import Record, field
from keywright.rules.rule import Finding

from .files import write

FILE = "baseline.json"
FORMAT = 1


class Baseline(Record):
    """The findings of a baseline."""

    rows: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)
    """By environment and fingerprint: code and object, for people, and the count."""

    def counts(self, environment: str) -> Counter[str]:
        """Number of accepted findings of each fingerprint in an environment."""
        return Counter({key: int(row["count"]) for key, row in self.rows.get(environment, {}).items()})


def read(root: Path) -> Baseline | None:
    """The baseline of a project; None if it has none, UsageError if the file is not a baseline."""
    file = root / FILE
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
        if document["format"] != FORMAT:
            problem = f'"{file}" has format {document["format"]!r}, this version of keywright reads {FORMAT}'
            raise UsageError(problem, "update keywright")
        rows: dict[str, dict[str, dict[str, Any]]] = {name: {} for name in document["environments"]}
        for row in document["findings"]:
            entry = {"code": row["code"], "object": row["object"], "count": int(row["count"])}
            rows[row["environment"]][row["fingerprint"]] = entry
        return Baseline(rows)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        help = "restore it from version control, or delete it and run `keywright check --update-baseline`"
        raise UsageError(f'"{file}" is not a baseline', help) from None


def update(
    baseline: Baseline | None, environment: str, findings: Iterable[Finding], disabled: Collection[str] = ()
) -> Baseline:
    """The baseline after a check: all findings if the environment had no baseline, else no new ones.

    disabled: codes of disabled rules, whose findings stay in the baseline.
    """
    now: dict[str, dict[str, Any]] = {}
    for finding in findings:
        row = now.setdefault(finding.fingerprint, {"code": finding.code, "object": finding.object, "count": 0})
        row["count"] += 1
    rows = dict(baseline.rows) if baseline else {}
    before = rows.get(environment)
    if before is not None:
        now = {
            key: {**row, "count": min(row["count"], before[key]["count"])} for key, row in now.items() if key in before
        }
        now |= {key: row for key, row in before.items() if row["code"] in disabled}
    return Baseline({**rows, environment: now})


def save(root: Path, baseline: Baseline) -> None:
    """Write a baseline, one finding per line, in a stable order."""
    findings: list[Json] = [
        {"environment": name, **row, "fingerprint": key}
        for name, rows in sorted(baseline.rows.items())
        for key, row in sorted(rows.items(), key=lambda item: (item[1]["code"], item[1]["object"], item[0]))
    ]
    names: list[Json] = [*sorted(baseline.rows)]
    write(root / FILE, listed({"format": FORMAT, "environments": names, "findings": findings}))


def split(
    findings: Iterable[Finding], baseline: Baseline, environment: str, disabled: Collection[str] = ()
) -> tuple[list[Finding], list[Finding], int]:
    """(findings that are not in the baseline, findings that are, number of the baseline's findings that are gone).

    disabled: codes of disabled rules, whose findings are not counted as gone.
    """
    remaining = baseline.counts(environment)
    new: list[Finding] = []
    accepted: list[Finding] = []
    for finding in findings:
        if remaining[finding.fingerprint] > 0:
            remaining[finding.fingerprint] -= 1
            accepted.append(finding)
        else:
            new.append(finding)
    rows = baseline.rows.get(environment, {})
    return new, accepted, sum(count for key, count in remaining.items() if rows[key]["code"] not in disabled)
