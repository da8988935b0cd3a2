"""A project at one commit, as plain data: findings, access patterns and snapshot."""

import json
from collections.abc import Mapping
from typing import Any

from keywright.ir.json import canonical
from keywright.migrations.snapshot import EMPTY, Snapshot, dump
from keywright.migrations.snapshot import load as snapshot_from
from keywright.record import Record


class Revision(Record):
    """A project at one commit; paths are relative to its folder."""

    findings: tuple[Mapping[str, Any], ...] = ()
    """Findings, as in the document of `check`."""
    accepted: tuple[Mapping[str, Any], ...] = ()
    """Suppressed findings, each with its reason, as in the document of `check`."""
    patterns: tuple[Mapping[str, Any], ...] = ()
    """Access patterns, as in the document of `patterns`; none if the project does not compile."""
    snapshot: Snapshot | None = None
    """All targets; None if the project does not compile."""
    problem: str = ""
    """Reason why the project could not be read; empty otherwise."""

    @property
    def is_compiled(self) -> bool:
        """Whether the project compiles."""
        return self.snapshot is not None


NOTHING = Revision(snapshot=EMPTY)
"""A commit without a project."""


def to_json(revision: Revision) -> str:
    """A revision as text."""
    document: dict[str, Any] = {
        "findings": list(revision.findings),
        "accepted": list(revision.accepted),
        "patterns": list(revision.patterns),
        "snapshot": None if revision.snapshot is None else json.loads(dump(revision.snapshot)),
        "problem": revision.problem,
    }
    return canonical(document)


def from_json(text: str) -> Revision:
    """The inverse of `to_json`."""
    document = json.loads(text)
    snapshot = document["snapshot"]
    return Revision(
        tuple(document["findings"]),
        tuple(document["accepted"]),
        tuple(document["patterns"]),
        None if snapshot is None else snapshot_from(canonical(snapshot)),
        document["problem"],
    )
