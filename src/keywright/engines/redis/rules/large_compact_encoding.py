"""RED026: the limit of compact encodings is so high that each access walks through a long array."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, TargetInEnvironment
from keywright.ir.text import counted

_NAMES = (
    "hash-max-listpack-entries", "hash-max-ziplist-entries", "set-max-listpack-entries", "zset-max-listpack-entries",
    "zset-max-ziplist-entries",
)  # fmt: skip


def stored(target: TargetInEnvironment, *, max_entries: int = 5_000) -> Iterator[FindingDraft]:
    """Servers with a higher limit of entries of a compact hash, set or sorted set.

    max_entries: entries that a compact encoding may have.
    """
    settings = dict(target.placed.settings)
    for name in _NAMES:
        if int(settings.get(name, "0")) > max_entries:
            yield FindingDraft(
                problem=f'server "{target.declared.name}" has "{name}" {int(settings[name]):,}, '
                f"{counted(max_entries, 'is allowed', 'are allowed', spec=',')}: each access walks through one array "
                "and blocks all others",
                help=f'remove "{name}" from settings=, or set 1000 or less',
                subject=target.declared.name,
            )
