"""Findings about migrations of DynamoDB tables."""

from collections.abc import Iterator
from typing import Any

from keywright.engines.findings.migration.context import MigrationContext, MigrationFindingDraft
from keywright.engines.findings.migration.effect import Effect, generation, value_at
from keywright.engines.findings.migration.values import is_field, listed, stored, type_of
from keywright.engines.findings.rule import Rule
from keywright.engines.time_precisions import without_precision
from keywright.ir.text import counted

_GIB = 1024**3
LARGE_BYTES = 20 * _GIB
"""Bytes of a table from which the build of an index needs a budget."""
LONG_NAME = 32
"""Bytes of an attribute's name above which the name costs more than most values."""


def at_once(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """LK101: one step changes several indexes of a table, but DynamoDB accepts one change at a time."""
    kinds = ("AddIndex", "DropIndex", "AlterIndex")
    paths = {effect.path: effect for effect in context.of(*kinds, engine="dynamodb") if effect.path[2] == "indexes"}
    for step in context.steps:
        tables: dict[str, list[str]] = {}
        for numbered_change in context.changes:
            effect = paths.get(numbered_change.change.path) if numbered_change.change.store == "dynamodb" else None
            if effect and numbered_change.id in step.applies:
                tables.setdefault(effect.path[0], []).append(effect.name)
        for table, names in tables.items():
            if len(names) > 1:
                problem = (
                    f'step {step.n} changes {counted(len(names), "index", "indexes")} of "{table}", '
                    f"{listed(names)}: 1 is allowed"
                )
                yield MigrationFindingDraft("dynamodb", table, problem, "write a separate step for each", str(step.n))


def large(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """LK103: an index is built on a large table without a declared time budget."""
    for effect in context.of("AddIndex", "AlterIndex", engine="dynamodb"):
        size, step = context.sizes.get((effect.store, effect.path[0]), 0), context.step_of(effect)
        if size > LARGE_BYTES and not (step and step.more.get("budget")):
            problem = f'index "{effect.name}" is built over {size // _GIB} GiB, but its step has no budget'
            yield context.hazard(effect, problem, "limit the duration in its step, such as budget: 6h")


def key_values(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """MF105: the key attribute of a new index has another type, or values that no index accepts, in existing items."""
    for effect in context.of("AddIndex", "AlterIndex", engine="dynamodb"):
        if context.is_checked(effect) or "R" in effect.classes:
            continue
        value: Any = effect.change.after
        is_validated = _is_validated(context, effect)
        for attribute, kind, _ in value["keys"]:
            others = _types(context, effect, attribute) - {kind}
            if others:
                problem = f'index "{effect.name}" needs {kind} in "{attribute}", but some items have {listed(others)}'
                help = "fill them with the new type in an earlier migration, and purge values of the former type"
                yield context.hazard(effect, problem, help, is_mild=is_validated)
            elif kind == "S" and attribute in _fields(context, effect) and not is_validated:
                problem = f'index "{effect.name}" omits items whose "{attribute}" is empty or too long, and rejects '
                step = f"{{by: runner, op: check_index_values, store: {effect.store}, object: {effect.change.object}}}"
                help = f"write a step {step} before it"
                yield context.hazard(effect, f"{problem}every later write of them", help, is_mild=True)


def _is_validated(context: MigrationContext, effect: Effect) -> bool:
    """Whether an earlier step validates every item, and stops at one that the index would leave out."""
    landing = context.step_of(effect)
    return landing is not None and any(
        (step.op, step.store, step.object) == ("check_index_values", effect.store, effect.change.object)
        and step.n < landing.n
        for step in context.steps
    )


def _types(context: MigrationContext, effect: Effect, attribute: str) -> set[str]:
    """Native types that stored items may have in an attribute, including those of dropped fields."""
    shape = value_at(context.before, effect.store, (effect.path[0], "shape")) or {}
    types = {
        without_precision(type_of(field))
        for entity in shape.values()
        for name, field in entity["fields"].items()
        if stored(name, field) == attribute
    }
    for grave in context.before.graveyard:
        path = str(grave.get("object", "")).split("/")
        if path[:2] == [effect.store, effect.path[0]] and path[-1] == attribute and not grave.get("purged"):
            types.add(without_precision(str(grave.get("type"))))
    return types


def _fields(context: MigrationContext, effect: Effect) -> set[str]:
    """Stored names of the fields that items already have."""
    shape = value_at(context.before, effect.store, (effect.path[0], "shape")) or {}
    return {stored(name, field) for entity in shape.values() for name, field in entity["fields"].items()}


def projections(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """BC104: an index projects fewer attributes than before, under the same name."""
    for effect in context.of("AlterIndex", engine="dynamodb"):
        before, after = _projection(effect.change.before), _projection(effect.change.after)
        if after is not None and (before is None or not before <= after):
            transition = f"{_projection_text(effect.change.before)} and becomes {_projection_text(effect.change.after)}"
            problem = (
                f'the projection of index "{effect.name}" is {transition}: readers of other attributes find nothing'
            )
            yield context.hazard(
                effect, problem, "create an index with another name, move its readers, then drop this one"
            )


def _projection(index: Any) -> set[str] | None:
    """Names that an index contains in addition to keys; None for all."""
    projection = index["projection"]
    return None if projection == "ALL" else set(projection) if isinstance(projection, list) else set()


def _projection_text(index: Any) -> str:
    projection = index["projection"]
    return listed(projection) if isinstance(projection, list) else str(projection)


def captures(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """RB104: a table gets a new generation, but neither its writers nor its stream capture writes during the copy."""
    for effect in context.effects:
        name, number = generation(effect.name)
        if (
            effect.kind != "AddTable"
            or effect.engine != "dynamodb"
            or number == 1
            or context.is_written_twice(effect.name)
        ):
            continue
        former = f"{name}-k{number - 1}" if number > 2 else name
        former_table = value_at(context.before, effect.store, (former, "native"))
        if former_table is not None and former_table.get("stream") != "NEW_AND_OLD_IMAGES":
            problem = (
                f'"{effect.name}" is filled from "{former}", whose stream is {former_table.get("stream") or "off"}'
            )
            help = (
                'write stream=kw.Stream(images="new_and_old", ...) in an earlier migration: otherwise writes during '
                "the copy are lost"
            )
            yield context.hazard(effect, problem, help)


def heavy(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """CO101: a long attribute name, or an index that projects all attributes, adds cost to every item."""
    for effect in context.of("AddField", engine="dynamodb"):
        name = stored(effect.name, effect.change.after).rpartition(".")[2] if is_field(effect) else ""
        if len(name.encode()) > LONG_NAME:
            problem = (
                f'the name "{name}" takes {counted(len(name.encode()), "byte")} of every item, more than {LONG_NAME}'
            )
            yield context.hazard(effect, problem, "declare a short alias for the field")
    for effect in context.of("AddIndex", engine="dynamodb"):
        value: Any = effect.change.after
        if value["projection"] == "ALL":
            problem = (
                f'index "{effect.name}" contains every attribute: each write of an item costs its full size once more'
            )
            yield context.hazard(effect, problem, 'write project="keys", or name the attributes that its readers need')


RULES = (
    Rule("RB104", captures, is_suppressible=False),
    Rule("MF105", key_values, is_suppressible=False),
    Rule("BC104", projections),
    Rule("LK101", at_once),
    Rule("LK103", large, severity="warning"),
    Rule("CO101", heavy, severity="warning"),
)
"""Migration rules for DynamoDB tables only."""
