"""OW: what belongs to a team that must see the change."""

from collections.abc import Iterator

from .context import Context, Hazard


def foreign(context: Context) -> Iterator[Hazard]:
    """OW101: something changes whose declaration names an owner; told once for each object of an owner."""
    seen: set[tuple[str, str]] = set()
    for one in context.effects:
        for (store, object), team in context.owners.items():
            is_there = store == one.store and (one.object == object or one.object.startswith(f"{object}/"))
            if is_there and (store, object) not in seen and one.kind != "AddTable":
                seen.add((store, object))
                yield context.hazard(
                    one, f'"{object}" belongs to team "{team}"', f"let {team} review it, and say under ignore: who did"
                )
