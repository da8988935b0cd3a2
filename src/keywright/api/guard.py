"""Judges a Pulumi preview of any program: nothing that holds data is replaced, deleted or unprotected, and no index is
touched by accident.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from keywright.engines.dynamodb.resources import TABLE, from_resource
from keywright.errors import UsageError
from keywright.ir.json import Json
from keywright.rules.infra.data_resource_unprotected import TYPES

from .preview import Step, steps

DATA = (*TYPES, "aws:dynamodb/tableReplica:TableReplica", "aws:elasticache/cluster:Cluster")
"""Types of resources that hold data, and copies and caches, which need no protection, but go by surprise."""

_REMADE = {"kmsKeyArn": "", "consistencyMode": "EVENTUAL"}
"""What a copy of a table in another region is made with, and cannot have otherwise later: its default, by its name."""

_PLACE = re.compile(r"globalSecondaryIndexes\[\d+\]")

_REPLACES = ("replace", "create-replacement", "delete-replaced")
_DELETES = ("delete", "discard", "discard-replaced")

Kind: TypeAlias = Literal["replace", "recreate", "delete", "unprotect", "index", "order", "missing"]

CODES: dict[Kind, str] = {
    "replace": "INF617", "recreate": "INF602", "delete": "INF617", "unprotect": "INF601", "index": "INF617",
    "order": "INF604", "missing": "NL104",
}  # fmt: skip
"""The code of each kind, by which `keywright explain` tells about it."""


@dataclass(frozen=True, slots=True)
class Danger:
    """One thing that a preview would do, and nobody has allowed."""

    kind: Kind
    """What it does."""
    urn: str
    """To which resource."""
    problem: str
    """One sentence, with what was and what would be."""
    help: str
    """What to do."""

    @property
    def code(self) -> str:
        """Code of its page."""
        return CODES[self.kind]


def judge(preview: str, allowed: Iterable[str] | None = None) -> list[Danger]:
    """What is dangerous in a preview; UsageError if it is none.

    allowed: what a migration's step lands: `+orders/by_day` for an index that is made, `-orders/by_day` for one that is
    dropped, `-orders` for a table that is deleted, `~orders` for one that loses its protection; `-orders@us-east-1` and
    `~orders@us-east-1` for its copy in a region. The preview must make and drop exactly those indexes; where nobody
    says what is allowed, it may make one for each table, and drop none.
    """
    wanted = tuple(allowed or ())
    for one in wanted:
        if one[:1] not in ("+", "-", "~") or not one[1:]:
            help = "write +TABLE/INDEX, -TABLE/INDEX, -TABLE, ~TABLE, or one of the last two with @REGION"
            raise UsageError(f'"{one}" allows nothing', help)
    found: dict[tuple[str, Kind], Danger] = {}
    others: list[Danger] = []
    touched: dict[str, str] = {}
    for step in steps(preview):
        if step.type in DATA:
            for danger in _whole(step, wanted):
                if step.reasons or (danger.urn, danger.kind) not in found:  # of several steps, the one that says why
                    found[danger.urn, danger.kind] = danger
            if step.type == TABLE and step.op == "update":
                touched |= dict.fromkeys(_indexes(step), step.urn)
                others += (*_copies(step, wanted), *_moved(step))
    indexes = [one for one in wanted if "/" in one]
    return [*found.values(), *others, *_unlisted(touched, indexes, is_open=allowed is None)]


def _whole(step: Step, allowed: tuple[str, ...]) -> Iterator[Danger]:
    """What becomes of a resource as a whole."""
    name = step.name
    if step.op in _REPLACES:
        why = f" because of {', '.join(step.reasons)}" if step.reasons else ""
        help = "put back what it was made with; a key that changes is a new table beside the old one"
        if step.type == TABLE and _is_named(step.new_inputs or step.old_inputs):
            problem = (
                f'"{name}" is replaced{why}: its name is fixed, so the old one is deleted before there is a new one'
            )
            yield Danger("recreate", step.urn, problem, help)
        else:
            problem = f'"{name}" is replaced{why}: a new one is made, and the data goes with the old one'
            yield Danger("replace", step.urn, problem, help)
    elif step.op in _DELETES and f"-{name}" not in allowed:
        goes = "leaves the stack" if step.old.get("retainOnDelete") else "is deleted, and its data with it"
        help = f"put it back into the program; or say that it shall go: --allow -{name}"
        yield Danger("delete", step.urn, f'"{name}" {goes}', help)
    if f"~{name}" in allowed or step.op in _DELETES:
        return
    was, now = (bool(side.get("protect")) for side in (step.old, step.new))
    guards = [bool(inputs.get("deletionProtectionEnabled")) for inputs in (step.old_inputs, step.new_inputs)]
    if (was and not now) or (guards[0] and not guards[1]):
        problem = f'"{name}" loses its protection'
        help = f"leave it protected; or unprotect it by an update that does nothing else: --allow ~{name}"
        yield Danger("unprotect", step.urn, problem, help)


def _is_named(inputs: Mapping[str, Any]) -> bool:
    """Whether the program says the name, so that two cannot stand side by side; else Pulumi makes one up."""
    return bool(inputs.get("name")) and "name" not in (inputs.get("__defaults") or ())


def _copies(step: Step, allowed: tuple[str, ...]) -> Iterator[Danger]:
    """What becomes of a table's copies in other regions."""
    name = step.name
    before, after = (inputs.get("replicas") or () for inputs in (step.old_inputs, step.new_inputs))
    try:
        old, new = ({str(one["regionName"]): one for one in side} for side in (before, after))
    except (KeyError, TypeError):
        if before != after and f"-{name}@*" not in allowed:
            problem = f'"{name}" may lose copies in other regions: which there are to be is not known yet'
            help = f"say the regions as they are; or, if any may go: --allow -{name}@*"
            yield Danger("delete", step.urn, problem, help)
        return
    for region, was in old.items():
        now, goes = new.get(region), f"-{name}@{region}"
        reasons = [key for key, default in _REMADE.items() if now and was.get(key, default) != now.get(key, default)]
        if now is None and goes not in allowed:
            problem = f'"{name}" loses its copy in {region}, and who reads and writes there has none'
            help = f"put the region back on the list; or say that it shall go: --allow {goes}"
            yield Danger("delete", step.urn, problem, help)
        elif reasons and goes not in allowed:
            why = ", ".join(reasons)
            problem = f'"{name}" has its copy in {region} made anew because of {why}: until then there is none'
            help = f"put back what it was made with; or say that it may go for the time: --allow {goes}"
            yield Danger("replace", step.urn, problem, help)
        is_bared = now and was.get("deletionProtectionEnabled") and not now.get("deletionProtectionEnabled")
        if is_bared and not {f"~{name}", f"~{name}@{region}"} & set(allowed):
            help = f"leave it protected; or unprotect it by an update that does nothing else: --allow ~{name}@{region}"
            yield Danger("unprotect", step.urn, f'"{name}" loses its protection in {region}', help)


def _indexes(step: Step) -> Iterator[str]:
    """`+table/index` and `-table/index` of every global index that is made or dropped; one that is altered is both.

    Where they change and not all of them is known yet, nobody can say which: that is `-table/*`.
    """
    try:
        old, new = (from_resource(inputs) for inputs in (step.old_inputs, step.new_inputs))
    except (AttributeError, KeyError, TypeError, ValueError):
        was, now = (inputs.get("globalSecondaryIndexes") for inputs in (step.old_inputs, step.new_inputs))
        if was != now:
            yield f"-{step.name}/*"
        return
    before, after = ({one.name: one for one in table.indexes} for table in (old, new))
    for name in sorted(before.keys() | after.keys()):
        if before.get(name) != after.get(name):
            if name in before:
                yield f"-{step.name}/{name}"
            if name in after:
                yield f"+{step.name}/{name}"


def _moved(step: Step) -> Iterator[Danger]:
    """Indexes of one order in another, where something is ignored by its place in the list; one that goes makes the
    others move up, which nobody can help.
    """
    before, after = (inputs.get("globalSecondaryIndexes") or () for inputs in (step.old_inputs, step.new_inputs))
    try:
        old, new = ([str(one["name"]) for one in side] for side in (before, after))
        ignored = [str(path) for path in step.new.get("ignoreChanges") or () if _PLACE.match(str(path))]
    except (KeyError, TypeError):
        return  # not known yet
    kept = [name for name in old if name in new]
    if ignored and new[: len(kept)] != kept:
        problem = f'"{step.name}" has its indexes in the order {", ".join(new)}, which was {", ".join(old)}, and '
        problem += f"{ignored[0]} is ignored by its place: an index keeps that of another"
        yield Danger("order", step.urn, problem, "leave the indexes in their order, and append new ones")


def _unlisted(touched: Mapping[str, str], wanted: list[str], *, is_open: bool) -> Iterator[Danger]:
    """Index changes that are not those of the step; where it is open, more than the addition of one for each table."""
    made: dict[str, list[str]] = {}
    for change, urn in touched.items():
        table, _, index = change[1:].partition("/")
        if change in wanted:
            continue
        made.setdefault(urn, []).append(change)
        is_first = change.startswith("+") and len(made[urn]) == 1 and is_open
        if not is_first:
            verb = "makes" if change.startswith("+") else "drops"
            problem = f'the preview {verb} index "{index}" of "{table}", which no step says'
            help = f"one index of a table changes at a time: --allow {change}, if it is this one"
            yield Danger("index", urn, problem, help)
    for change in wanted:
        if change not in touched:
            table, _, index = change[1:].partition("/")
            verb = "make" if change.startswith("+") else "drop"
            problem = f'the preview does not {verb} index "{index}" of "{table}"'
            yield Danger("missing", "", problem, "see whether the program and the stack are those of the step")


def described(found: Iterable[Danger]) -> list[Json]:
    """Dangers as a document has them."""
    return [
        {"code": one.code, "kind": one.kind, "urn": one.urn, "message": one.problem, "help": one.help} for one in found
    ]
