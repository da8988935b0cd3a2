"""Names of services that cannot be names of users."""

import re
from collections.abc import Iterable, Iterator

from keywright.engines.interface import Rejection
from keywright.ir.pattern import Pattern
from keywright.ir.text import one_line

from .capabilities import NAME_PATTERN
from .user_file import MIGRATOR, REPLICA, variable

_OWN = {
    "default": "the user of clients without a login",
    MIGRATOR: "the user of migrations",
    REPLICA: "the user of replicas",
}


def refused_users(patterns: Iterable[Pattern]) -> Iterator[Rejection]:
    """Rejections of services whose user a server cannot have, or whose secret would be that of another one."""
    variables: dict[str, str] = {}
    for pattern in patterns:
        for name in pattern.used_by:
            other = variables.setdefault(variable(name), name)
            if name in _OWN:
                problem, help = f'"{name}" in used_by= is {_OWN[name]}', "choose another name"
            elif not re.fullmatch(NAME_PATTERN, name):
                problem = f'"{one_line(name)}" in used_by= cannot be the name of a user'
                help = "use letters, digits, `_`, `.` and `-`"
            elif other != name:
                problem = f'"{name}" and "{other}" in used_by= have the same secret {variable(name)}'
                help = "choose names that differ in letters or digits"
            else:
                continue
            yield Rejection("E0511", problem, help, pattern.binding, at=pattern.at)
