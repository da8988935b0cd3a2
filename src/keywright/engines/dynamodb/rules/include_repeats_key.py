"""DDB107: an index lists key attributes in its projection, although keys are always projected."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, TargetInEnvironment


def stored(target: TargetInEnvironment) -> Iterator[FindingDraft]:
    """Indexes that list key attributes."""
    table = target.declared
    for index in (*table.indexes, *table.local_indexes):
        keys = {part.attribute for part in (*index.keys, *table.keys)}
        repeated = [name for name in index.included if name in keys]
        if repeated:
            names = ", ".join(f'"{name}"' for name in repeated)
            yield FindingDraft(
                problem=f'index "{index.name}" projects {names}, a key of it or of its table, which is there anyway',
                help=f"leave {names} out of project=",
                subject=table.name,
                part=index.name,
            )
