"""RED106: keys are in other logical databases than the first; clusters lack these, and modules do not read them.

https://redis.io/docs/latest/commands/select/ (2026-11-22)
"""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.observation import LiveTarget


def live(live_target: LiveTarget) -> Iterator[FindingDraft]:
    """A running server with keys in another logical database than the first."""
    databases = live_target.observation.figures.get("databases")
    numbers = [number for number in str(databases or "").split() if number != "0"]
    if numbers:
        word = "database" if len(numbers) == 1 else "databases"
        yield FindingDraft(
            problem=f'server "{live_target.name}" holds keys in logical {word} {", ".join(numbers)}: they share '
            "its memory, "
            "its thread and its eviction, and a cluster has the first alone",
            help="keep what is of another purpose on a server of its own, or under a prefix of its own",
            subject=live_target.name,
        )
