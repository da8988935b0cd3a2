"""Parses the output of `pulumi preview --json`, in its plain form and in the form of one event per line."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from keywright.errors import UsageError
from keywright.record import Record


class PreviewStep(Record):
    """Step of a preview on a resource."""

    op: str
    """Pulumi's operation, such as `update` or `create-replacement`."""
    urn: str
    """URN of the resource."""
    type: str
    """Type of the resource, such as `aws:dynamodb/table:Table`."""
    old: Mapping[str, Any]
    """State before; empty if there is none."""
    new: Mapping[str, Any]
    """State after; empty if there is none."""
    reasons: tuple[str, ...]
    """Inputs that cause a replacement."""

    @property
    def name(self) -> str:
        """Name of the resource in the program."""
        return self.urn.split("::")[-1]

    @property
    def old_inputs(self) -> Mapping[str, Any]:
        """Inputs before."""
        return self.old.get("inputs") or {}

    @property
    def new_inputs(self) -> Mapping[str, Any]:
        """Inputs after."""
        return self.new.get("inputs") or {}


def steps(preview: str) -> list[PreviewStep]:
    """Steps of a preview, in order; UsageError if the text is not a preview."""
    try:
        return list(_steps(preview))
    except (AttributeError, ValueError, KeyError, TypeError, IndexError):
        help = "write one with `pulumi preview --json > preview.json`"
        raise UsageError("the file is not a Pulumi preview", help) from None


def _steps(preview: str) -> Iterator[PreviewStep]:
    try:
        document = json.loads(preview)
    except ValueError:
        document = None  # one event per line is not a JSON document
    if isinstance(document, dict) and "steps" in document:
        yield from (_step(step, "oldState", "newState", "replaceReasons") for step in document["steps"])
        return
    events = [json.loads(line) for line in preview.splitlines() if line.startswith('{"')]
    entries = [event["resourcePreEvent"]["metadata"] for event in events if "resourcePreEvent" in event]
    if not entries:
        raise ValueError  # every preview has at least a step for its stack
    yield from (_step(entry, "old", "new", "keys") for entry in entries)


def _step(entry: Any, old: str, new: str, reasons: str) -> PreviewStep:
    urn = entry["urn"]
    type = urn.split("::")[2].split("$")[-1]
    preview_step = PreviewStep(
        entry["op"], urn, type, entry.get(old) or {}, entry.get(new) or {}, tuple(entry.get(reasons) or ())
    )
    for part in (preview_step.old, preview_step.new, preview_step.old_inputs, preview_step.new_inputs):
        if not isinstance(part, Mapping):
            raise TypeError
    return preview_step
