"""The chain of migrations: findings about the folders and their order."""

from collections.abc import Sequence

from keywright.errors import Place

from .catalogue import BY_CODE
from .rule import Finding

_REBASE = "`keywright migrate rebase` moves your migrations after those of the other branch"


def broken(code: str, message: str, help: str, at: Place, folder: str = "") -> Finding:
    """A finding about folders that were edited, removed or reordered."""
    rule = BY_CODE[code]
    return Finding(rule=rule, severity=rule.severity, message=message, help=help, version=folder, at=at)


def behind(here: Sequence[str], there: Sequence[str], at: Place) -> list[Finding]:
    """Findings about the order of folders in relation to those of another branch, which come first.

    here, there: names of folders in this and in the other branch, in order.
    """
    findings = [
        broken("NL101", f'the other branch has "{name}", which is missing here', _REBASE, at, name)
        for name in there
        if name not in here
    ]
    last = max(there, default="")
    findings += (
        broken("NL101", f'"{name}" precedes "{last}", which the other branch already contains', _REBASE, at, name)
        for name in here
        if name not in there and name < last
    )
    return findings
