"""Previews of Pulumi: what `pulumi preview --json` says, in its plain form and in that of one event a line."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from keywright.errors import UsageError


@dataclass(frozen=True, slots=True)
class Step:
    """What a preview does to one resource."""

    op: str
    """The engine's word, such as `update` or `create-replacement`."""
    urn: str
    """The resource."""
    type: str
    """Its type, such as `aws:dynamodb/table:Table`."""
    old: Mapping[str, Any]
    """Its state before; empty where there is none."""
    new: Mapping[str, Any]
    """Its state afterwards, likewise."""
    reasons: tuple[str, ...]
    """The inputs for which it is replaced."""

    @property
    def name(self) -> str:
        """What the program calls it."""
        return self.urn.split("::")[-1]

    @property
    def old_inputs(self) -> Mapping[str, Any]:
        """What the program said before."""
        return self.old.get("inputs") or {}

    @property
    def new_inputs(self) -> Mapping[str, Any]:
        """What the program says."""
        return self.new.get("inputs") or {}


def steps(preview: str) -> list[Step]:
    """The steps of a preview, in its order; UsageError if the text is none."""
    try:
        return list(_steps(preview))
    except (AttributeError, ValueError, KeyError, TypeError, IndexError):
        help = "write one with `pulumi preview --json > preview.json`"
        raise UsageError("the file is no preview of Pulumi", help) from None


def _steps(preview: str) -> Iterator[Step]:
    try:
        whole = json.loads(preview)
    except ValueError:
        whole = None  # one event a line is no document
    if isinstance(whole, dict) and "steps" in whole:
        yield from (_step(one, "oldState", "newState", "replaceReasons") for one in whole["steps"])
        return
    events = [json.loads(line) for line in preview.splitlines() if line.startswith('{"')]
    told = [event["resourcePreEvent"]["metadata"] for event in events if "resourcePreEvent" in event]
    if not told:
        raise ValueError  # a preview tells of its stack at least
    yield from (_step(one, "old", "new", "keys") for one in told)


def _step(told: Any, old: str, new: str, reasons: str) -> Step:
    urn = told["urn"]
    type = urn.split("::")[2].split("$")[-1]
    found = Step(told["op"], urn, type, told.get(old) or {}, told.get(new) or {}, tuple(told.get(reasons) or ()))
    for part in (found.old, found.new, found.old_inputs, found.new_inputs):
        if not isinstance(part, Mapping):
            raise TypeError
    return found
