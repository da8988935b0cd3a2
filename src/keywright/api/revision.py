"""What a project says of itself at one moment of its history, as plain data: findings, access patterns, snapshot."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from keywright.history.snapshot import EMPTY, Snapshot, dump
from keywright.history.snapshot import load as snapshot_from
from keywright.ir.json import canonical


@dataclass(frozen=True, slots=True)
class Revision:
    """A project at one moment; paths are relative to its folder."""

    findings: tuple[Mapping[str, Any], ...] = ()
    """As in the document of `check`."""
    accepted: tuple[Mapping[str, Any], ...] = ()
    """Findings that are accepted, each with its reason, as there."""
    patterns: tuple[Mapping[str, Any], ...] = ()
    """As in the document of `patterns`; none where something does not compile."""
    snapshot: Snapshot | None = None
    """Every target; None where something does not compile."""
    problem: str = ""
    """Why nothing could be read at all; empty otherwise."""

    @property
    def is_compiled(self) -> bool:
        """Whether everything in it compiles."""
        return self.snapshot is not None


NOTHING = Revision(snapshot=EMPTY)
"""What there is before a project begins."""


def to_json(one: Revision) -> str:
    """A revision as text."""
    told: dict[str, Any] = {
        "findings": list(one.findings),
        "accepted": list(one.accepted),
        "patterns": list(one.patterns),
        "snapshot": None if one.snapshot is None else json.loads(dump(one.snapshot)),
        "problem": one.problem,
    }
    return canonical(told)


def from_json(text: str) -> Revision:
    """The inverse of `to_json`."""
    told = json.loads(text)
    snapshot = told["snapshot"]
    return Revision(
        tuple(told["findings"]),
        tuple(told["accepted"]),
        tuple(told["patterns"]),
        None if snapshot is None else snapshot_from(canonical(snapshot)),
        told["problem"],
    )
