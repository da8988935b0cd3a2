"""Changes that a person must approve: LK102 for an index that may be in use, OW101 for an object with an owner."""

from collections.abc import Iterator

from .context import MigrationContext, MigrationFindingDraft


def ungated(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """LK102: an index is dropped before anyone has confirmed that it is unused."""
    for effect in context.of("DropIndex"):
        if (
            context.steps
            and not context.is_part_of_dropped(effect)
            and not context.is_gated(effect)
            and "R" not in effect.classes
        ):
            problem = f'index "{effect.name}" is dropped, but no earlier step confirms that it is unused'
            help = "put a step {phase: contract, by: human, op: deploy_ack, text: ...} or {op: quiet, ...} before it"
            yield context.hazard(effect, problem, help)


def foreign(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """OW101: the migration changes an object that has an owner, who should review it; once for each object."""
    reported: set[tuple[str, str]] = set()
    for effect in context.effects:
        for (store, object), team in context.owners.items():
            is_owned = store == effect.store and (effect.object == object or effect.object.startswith(f"{object}/"))
            if is_owned and (store, object) not in reported and effect.kind != "AddTable":
                reported.add((store, object))
                yield context.hazard(
                    effect,
                    f'"{object}" belongs to team "{team}"',
                    f"let {team} review it, and name the reviewer under ignore:",
                )
