"""The file of a server's users, whose passwords are references to secrets.

Each user has `#${NAME_SHA256}` in place of a password: the digest that `envsubst` puts there from the environment of
the machine that installs the file. Source: https://redis.io/docs/latest/operate/oss_and_stack/management/security/acl/,
2026-11-28.
"""

import re
from collections.abc import Iterator

from .target import ServerTarget
from .users import UserTarget

MIGRATOR = "keywright"
"""User of migrations and of people, who may do everything."""

REPLICA = "replica"
"""User with which replicas connect to their primary."""

_REPLICATION = "+psync +replconf +ping"


def user_lines(placed: ServerTarget) -> Iterator[str]:
    """A line for each user; the default user, as which clients without a login connect, may do nothing."""
    assert placed.placement is not None
    yield "user default off"
    yield f"user {MIGRATOR} on {reference(MIGRATOR)} ~* &* +@all"
    if placed.placement.replicas:
        yield f"user {REPLICA} on {reference(REPLICA)} {_REPLICATION}"
    for user in placed.users:
        yield " ".join(("user", user.name, "on", reference(user.name), *rights(user)))


def rights(user: UserTarget) -> list[str]:
    """The rules of a user, keys first."""
    return sorted(user.rules, key=lambda rule: "~" not in rule)


def reference(name: str) -> str:
    """The place of the digest of a user's password, filled in from the environment."""
    return f"#${{{variable(name)}}}"


def variable(name: str) -> str:
    """The environment variable with the digest of a user's password."""
    return f"{re.sub('[^A-Za-z0-9]', '_', name).upper()}_SHA256"
