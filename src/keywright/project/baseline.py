"""`baseline.json`: findings that a project had when rules came to it; they do not count, and the file only shrinks."""

import json
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from keywright.errors import UsageError
from keywright.ir.json import Json, listed
from keywright.rules.rule import Finding

from .files import write

FILE = "baseline.json"
FORMAT = 1


@dataclass(frozen=True, slots=True)
class Known:
    """What a baseline holds."""

    rows: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)
    """By environment and fingerprint: code and object, for people, and how many there are."""

    def counts(self, environment: str) -> Counter[str]:
        """How many findings of each fingerprint do not count in an environment."""
        return Counter({key: int(row["count"]) for key, row in self.rows.get(environment, {}).items()})


def read(root: Path) -> Known | None:
    """The baseline of a project; None where it has none, UsageError if it is not one of ours."""
    file = root / FILE
    try:
        told = json.loads(file.read_text(encoding="utf-8"))
        if told["format"] != FORMAT:
            problem = f'"{file}" has format {told["format"]!r}, this keywright reads {FORMAT}'
            raise UsageError(problem, "update keywright")
        rows: dict[str, dict[str, dict[str, Any]]] = {name: {} for name in told["environments"]}
        for row in told["findings"]:
            kept = {"code": row["code"], "object": row["object"], "count": int(row["count"])}
            rows[row["environment"]][row["fingerprint"]] = kept
        return Known(rows)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        help = "take it from version control again, or delete it and run `keywright check --update-baseline`"
        raise UsageError(f'"{file}" is not a baseline', help) from None


def updated(known: Known | None, environment: str, found: Iterable[Finding], unasked: Collection[str] = ()) -> Known:
    """The baseline of what is found now: all of it where there was none for the environment, else nothing new.

    unasked: codes of rules that were not asked, whose findings stay in it.
    """
    now: dict[str, dict[str, Any]] = {}
    for one in found:
        row = now.setdefault(one.fingerprint, {"code": one.code, "object": one.object, "count": 0})
        row["count"] += 1
    rows = dict(known.rows) if known else {}
    before = rows.get(environment)
    if before is not None:
        now = {
            key: {**row, "count": min(row["count"], before[key]["count"])} for key, row in now.items() if key in before
        }
        now |= {key: row for key, row in before.items() if row["code"] in unasked}
    return Known({**rows, environment: now})


def save(root: Path, known: Known) -> None:
    """Write it, a finding on a line, in one order."""
    found: list[Json] = [
        {"environment": name, **row, "fingerprint": key}
        for name, rows in sorted(known.rows.items())
        for key, row in sorted(rows.items(), key=lambda one: (one[1]["code"], one[1]["object"], one[0]))
    ]
    names: list[Json] = [*sorted(known.rows)]
    write(root / FILE, listed({"format": FORMAT, "environments": names, "findings": found}))


def set_aside(
    found: Iterable[Finding], known: Known, environment: str, unasked: Collection[str] = ()
) -> tuple[list[Finding], list[Finding], int]:
    """(those that count, those that do not, how many of the baseline are there no more).

    unasked: codes of rules that were not asked, of which nobody knows whether their findings are there.
    """
    left = known.counts(environment)
    counting: list[Finding] = []
    others: list[Finding] = []
    for one in found:
        if left[one.fingerprint] > 0:
            left[one.fingerprint] -= 1
            others.append(one)
        else:
            counting.append(one)
    rows = known.rows.get(environment, {})
    return counting, others, sum(count for key, count in left.items() if rows[key]["code"] not in unasked)
