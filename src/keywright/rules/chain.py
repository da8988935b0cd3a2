"""The chain of versions: what is wrong with the folders themselves, as findings."""

from collections.abc import Sequence

from keywright.errors import Place

from .catalogue import BY_CODE
from .rule import Finding

_REBASE = "`keywright migrate rebase` puts yours behind the other branch's"


def broken(code: str, message: str, help: str, at: Place, folder: str = "") -> Finding:
    """A finding about folders that are not as they were written."""
    rule = BY_CODE[code]
    return Finding(rule=rule, severity=rule.severity, message=message, help=help, version=folder, at=at)


def behind(here: Sequence[str], there: Sequence[str], at: Place) -> list[Finding]:
    """What is wrong with the order of folders against those of another branch, which come first.

    here, there: names of folders, in order.
    """
    found = [
        broken("NL101", f'the other branch has "{name}", which is not here', _REBASE, at, name)
        for name in there
        if name not in here
    ]
    last = max(there, default="")
    found += (
        broken("NL101", f'"{name}" stands before "{last}", which the other branch has already', _REBASE, at, name)
        for name in here
        if name not in there and name < last
    )
    return found
