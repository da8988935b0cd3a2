"""Findings about migrations of Redis servers."""

from collections.abc import Iterator
from typing import Any

from keywright.engines.findings.migration.context import MigrationContext, MigrationFindingDraft
from keywright.engines.findings.migration.migration import SnapshotInfo
from keywright.engines.findings.migration.names import convention
from keywright.engines.findings.rule import Rule
from keywright.ir.text import counted

_GROWING = ("list", "set", "sorted set", "stream", "geo")


def less_memory(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """DS105: the migration shrinks the memory, or lets the server evict keys that it never evicted before."""
    for effect in context.of("AlterSetting", engine="redis"):
        before, after = effect.change.before, effect.change.after
        if effect.name == "maxmemory" and _bytes(after) < _bytes(before):
            problem = f'maxmemory of "{effect.path[0]}" is {_text(before)} and becomes {_text(after)}'
            help = "compare with used_memory first, and suppress the finding under ignore: if it fits"
            yield context.hazard(effect, f"{problem}: keys beyond it are evicted, or writes fail", help)
        elif effect.name == "maxmemory-policy" and "D" in effect.classes:
            problem = f'eviction of "{effect.path[0]}" is {before or "noeviction"} and becomes {after}: {effect.why}'
            yield context.hazard(effect, problem, "move keys that must stay to a server with another role first")


def _bytes(value: Any) -> float:
    """A memory size as the server reports it; 0 and None are unlimited."""
    number = int(value) if isinstance(value, (int, str)) and str(value).isdigit() else 0
    return number or float("inf")


def _text(value: Any) -> str:
    number = _bytes(value)
    return "unlimited" if number == float("inf") else counted(number, "byte")


def unbounded(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """CO103: a structure that may grow without bound."""
    for effect in context.effects:
        value: Any = effect.change.after
        shapes = {effect.entity: value} if effect.kind == "AddEntity" else {}
        if effect.kind == "AddTable" and effect.engine == "redis":
            shapes = value["shape"]
        for entity, shape in shapes.items() if effect.engine == "redis" else ():
            structure = shape.get("structure", {})
            bound = structure.get("kept") or structure.get("kept_seconds") or structure.get("ttl_seconds")
            if structure.get("kind") in _GROWING and not bound:
                problem = (
                    f'{structure["kind"]} "{shape["key"].get("key", "")}" of {entity} has no bound and never expires'
                )
                yield context.hazard(effect, problem, "limit the number of elements, or their time")


def prefixes(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """NM105: the key prefix of a new entity ends in another separator than the others."""
    for effect in context.effects:
        value = effect.change.after
        if effect.kind == "AddEntity" and effect.engine == "redis" and isinstance(value, dict):
            prefix = _prefix(value)
            common = convention(_prefixes(context.before, effect.store), _end)
            if prefix and common and _end(prefix) != common:
                problem = f'keys of {effect.entity} start with "{prefix}", but most other prefixes end in "{common}"'
                yield context.hazard(effect, problem, f'write "{prefix.rstrip(":/#-._|")}{common}"')


def _prefixes(side: SnapshotInfo, store: str) -> list[str]:
    return [_prefix(entity) for target in side.stores.get(store, {}).values() for entity in target["shape"].values()]


def _prefix(entity: Any) -> str:
    keys = entity.get("key")
    text = str(keys.get("key", "")) if isinstance(keys, dict) else ""
    return text.partition("{")[0]


def _end(prefix: str) -> str:
    return prefix[-1:] if prefix and not prefix[-1].isalnum() else ""


RULES = (
    Rule("DS105", less_memory),
    Rule("CO103", unbounded, severity="warning"),
    Rule("NM105", prefixes, severity="warning", confidence="inferred"),
)
"""Migration rules for Redis servers only."""
