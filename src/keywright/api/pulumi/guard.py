"""Checks a Pulumi preview of any program for resources with data that it replaces, deletes or unprotects, and for
unexpected index changes.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, TypeAlias

from keywright.engines.registry import stack_tables
from keywright.errors import UsageError
from keywright.ir.json import Json
from keywright.record import Record
from keywright.rules.infra.data_resource_unprotected import TYPES
from keywright.rules.models import CATALOGUES

from .preview import PreviewStep, steps

DATA = (*TYPES, *(type for catalogue in CATALOGUES for type in catalogue.replicas))
"""Types of resources with data; replicas and caches need no protection, but their loss is reported too."""

_FIXED_AT_CREATION = {"kmsKeyArn": "", "consistencyMode": "EVENTUAL"}
"""Properties of a replica that cannot change after its creation, with their defaults."""

_INDEX_POSITION = re.compile(r"globalSecondaryIndexes\[\d+\]")

_REPLACES = ("replace", "create-replacement", "delete-replaced")
_DELETES = ("delete", "discard", "discard-replaced")

PreviewRisk: TypeAlias = Literal["replace", "recreate", "delete", "unprotect", "index", "order", "missing"]

CODES: dict[PreviewRisk, str] = {
    "replace": "INF617", "recreate": "INF602", "delete": "INF617", "unprotect": "INF601", "index": "INF617",
    "order": "INF604", "missing": "NL104",
}  # fmt: skip
"""Code of each kind, for `keywright explain`."""


class PreviewFinding(Record):
    """An operation of a preview that is not allowed."""

    kind: PreviewRisk
    """Kind of the operation."""
    urn: str
    """URN of the resource."""
    problem: str
    """Sentence with the state before and after."""
    help: str
    """Help text."""

    @property
    def code(self) -> str:
        """Code of the finding's page."""
        return CODES[self.kind]


def evaluate(preview: str, allowed: Iterable[str] | None = None) -> list[PreviewFinding]:
    """Findings of a preview; UsageError if the text is not a preview.

    allowed: operations of a migration's step: `+orders/by_day` creates an index, `-orders/by_day` drops it, `-orders`
    deletes a table, `~orders` removes its protection; `-orders@us-east-1` and `~orders@us-east-1` do so for its replica
    in a region. The preview must create and drop exactly those indexes; without `allowed`, it may create one index per
    table, and drop none.
    """
    allowances = tuple(allowed or ())
    for allowance in allowances:
        if allowance[:1] not in ("+", "-", "~") or not allowance[1:]:
            help = "write +TABLE/INDEX, -TABLE/INDEX, -TABLE, ~TABLE, or one of the last two with @REGION"
            raise UsageError(f'"{allowance}" is not an operation', help)
    findings: dict[tuple[str, PreviewRisk], PreviewFinding] = {}
    others: list[PreviewFinding] = []
    touched: dict[str, str] = {}
    for step in steps(preview):
        if step.type in DATA:
            for finding in _resource_findings(step, allowances):
                if step.reasons or (finding.urn, finding.kind) not in findings:  # prefer the step with reasons
                    findings[finding.urn, finding.kind] = finding
            if step.type in stack_tables() and step.op == "update":
                touched |= dict.fromkeys(_indexes(step), step.urn)
                others += (*_replica_findings(step, allowances), *_reordered_indexes(step))
    indexes = [allowance for allowance in allowances if "/" in allowance]
    return [*findings.values(), *others, *_unexpected_indexes(touched, indexes, is_open=allowed is None)]


def _resource_findings(step: PreviewStep, allowed: tuple[str, ...]) -> Iterator[PreviewFinding]:
    """Findings about a resource as a whole."""
    name = step.name
    if step.op in _REPLACES:
        why = f" because of {', '.join(step.reasons)}" if step.reasons else ""
        help = "restore the former inputs; to change a key, declare a new table beside the old one"
        if step.type in stack_tables() and _is_named(step.new_inputs or step.old_inputs):
            problem = (
                f'"{name}" is replaced{why}: its name is fixed, so the old one is deleted before the new one is created'
            )
            yield PreviewFinding("recreate", step.urn, problem, help)
        else:
            problem = f'"{name}" is replaced{why}: the new one is empty, and the data is deleted with the old one'
            yield PreviewFinding("replace", step.urn, problem, help)
    elif step.op in _DELETES and f"-{name}" not in allowed:
        fate = "leaves the stack" if step.old.get("retainOnDelete") else "is deleted, and its data with it"
        help = f"restore it in the program; to delete it, pass --allow -{name}"
        yield PreviewFinding("delete", step.urn, f'"{name}" {fate}', help)
    if f"~{name}" in allowed or step.op in _DELETES:
        return
    was_protected, is_protected = (bool(side.get("protect")) for side in (step.old, step.new))
    deletion_protection = [
        bool(inputs.get("deletionProtectionEnabled")) for inputs in (step.old_inputs, step.new_inputs)
    ]
    if (was_protected and not is_protected) or (deletion_protection[0] and not deletion_protection[1]):
        problem = f'"{name}" loses its protection'
        help = f"leave it protected; or remove the protection in a separate update, with --allow ~{name}"
        yield PreviewFinding("unprotect", step.urn, problem, help)


def _is_named(inputs: Mapping[str, Any]) -> bool:
    """Whether the program sets the name, so that two cannot exist at once; else Pulumi generates one."""
    return bool(inputs.get("name")) and "name" not in (inputs.get("__defaults") or ())


def _replica_findings(step: PreviewStep, allowed: tuple[str, ...]) -> Iterator[PreviewFinding]:
    """Findings about a table's replicas in other regions."""
    name = step.name
    before, after = (inputs.get("replicas") or () for inputs in (step.old_inputs, step.new_inputs))
    try:
        old, new = ({str(replica["regionName"]): replica for replica in side} for side in (before, after))
    except (KeyError, TypeError):
        if before != after and f"-{name}@*" not in allowed:
            problem = f'"{name}" may lose replicas in other regions: the regions are not known yet'
            help = f"write the regions as literals; if any replica may be deleted, pass --allow -{name}@*"
            yield PreviewFinding("delete", step.urn, problem, help)
        return
    for region, old_replica in old.items():
        new_replica, allowance = new.get(region), f"-{name}@{region}"
        reasons = [
            key
            for key, default in _FIXED_AT_CREATION.items()
            if new_replica and old_replica.get(key, default) != new_replica.get(key, default)
        ]
        if new_replica is None and allowance not in allowed:
            problem = f'"{name}" loses its replica in {region}, and clients in that region lose access'
            help = f"restore the region in the list; to delete the replica, pass --allow {allowance}"
            yield PreviewFinding("delete", step.urn, problem, help)
        elif reasons and allowance not in allowed:
            why = ", ".join(reasons)
            problem = f'the replica of "{name}" in {region} is replaced because of {why}, and is missing meanwhile'
            help = f"restore the former inputs; if it may be missing for that time, pass --allow {allowance}"
            yield PreviewFinding("replace", step.urn, problem, help)
        is_unprotected = (
            new_replica
            and old_replica.get("deletionProtectionEnabled")
            and not new_replica.get("deletionProtectionEnabled")
        )
        if is_unprotected and not {f"~{name}", f"~{name}@{region}"} & set(allowed):
            help = f"leave it protected; or remove the protection in a separate update, with --allow ~{name}@{region}"
            yield PreviewFinding("unprotect", step.urn, f'"{name}" loses its protection in {region}', help)


def _indexes(step: PreviewStep) -> Iterator[str]:
    """`+table/index` for every created global index, `-table/index` for every dropped one, both for an altered one.

    If the indexes change but are not completely known yet, the result is `-table/*`.
    """
    try:
        tables = stack_tables()[step.type]
        before, after = (tables.indexes(inputs) for inputs in (step.old_inputs, step.new_inputs))
    except (AttributeError, KeyError, TypeError, ValueError):
        indexes_before, indexes_after = (
            inputs.get("globalSecondaryIndexes") for inputs in (step.old_inputs, step.new_inputs)
        )
        if indexes_before != indexes_after:
            yield f"-{step.name}/*"
        return
    for name in sorted(before.keys() | after.keys()):
        if before.get(name) != after.get(name):
            if name in before:
                yield f"-{step.name}/{name}"
            if name in after:
                yield f"+{step.name}/{name}"


def _reordered_indexes(step: PreviewStep) -> Iterator[PreviewFinding]:
    """Findings about reordered indexes if a path in `ignoreChanges` refers to an index by its position.

    Dropping an index also moves the later ones, which is unavoidable and not reported.
    """
    before, after = (inputs.get("globalSecondaryIndexes") or () for inputs in (step.old_inputs, step.new_inputs))
    try:
        old, new = ([str(index["name"]) for index in side] for side in (before, after))
        ignored = [str(path) for path in step.new.get("ignoreChanges") or () if _INDEX_POSITION.match(str(path))]
    except (KeyError, TypeError):
        return  # not known yet
    names = [name for name in old if name in new]
    if ignored and new[: len(names)] != names:
        problem = f'"{step.name}" has its indexes in the order {", ".join(new)} instead of {", ".join(old)}, and '
        problem += f"ignoreChanges contains {ignored[0]}: an index would keep the value of another"
        yield PreviewFinding("order", step.urn, problem, "keep the order of the indexes, and append new ones")


def _unexpected_indexes(touched: Mapping[str, str], allowed: list[str], *, is_open: bool) -> Iterator[PreviewFinding]:
    """Index changes outside the step's; if `is_open`, all changes but the addition of one index per table."""
    changes_by_urn: dict[str, list[str]] = {}
    for change, urn in touched.items():
        table, _, index = change[1:].partition("/")
        if change in allowed:
            continue
        changes_by_urn.setdefault(urn, []).append(change)
        is_first = change.startswith("+") and len(changes_by_urn[urn]) == 1 and is_open
        if not is_first:
            verb = "creates" if change.startswith("+") else "drops"
            problem = f'the preview {verb} index "{index}" of "{table}", which no step does'
            help = f"change one index of a table at a time; if it is this one, pass --allow {change}"
            yield PreviewFinding("index", urn, problem, help)
    for change in allowed:
        if change not in touched:
            table, _, index = change[1:].partition("/")
            verb = "create" if change.startswith("+") else "drop"
            problem = f'the preview does not {verb} index "{index}" of "{table}"'
            yield PreviewFinding("missing", "", problem, "check that the program and the stack belong to the step")


def described(findings: Iterable[PreviewFinding]) -> list[Json]:
    """Findings as JSON."""
    return [
        {
            "code": finding.code,
            "kind": finding.kind,
            "urn": finding.urn,
            "message": finding.problem,
            "help": finding.help,
        }
        for finding in findings
    ]
