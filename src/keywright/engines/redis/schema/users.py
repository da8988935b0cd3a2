"""Users of a server as rules of its access control list (ACL): the form in which servers report them.

Passwords are no part of a target: nothing here reads, writes or compares them.
Source: https://redis.io/docs/latest/operate/oss_and_stack/management/security/acl/, 2026-11-28.
"""

import re
from collections.abc import Iterable, Iterator

from keywright.engines.capability import is_older
from keywright.ir.template import parse
from keywright.record import Record, replace

from .capabilities import FLAVOURS

RESET = ("clearselectors", "resetkeys", "resetchannels", "-@all")
"""Rules that take every right of a user, and leave its passwords."""

_ON_CONNECT = ("+ping",)
_SINCE_7_2 = ("+client|setinfo",)
_ON_CLUSTER = ("+cluster|slots", "+command", "+readonly", "+asking")
_CONNECTING = frozenset((*_ON_CONNECT, *_SINCE_7_2, *_ON_CLUSTER))

_STATES = frozenset(("on", "off", "nopass", "sanitize-payload", "skip-sanitize-payload", "resetchannels", "-@all"))
_SPECIAL = re.compile(r"[*?\[\]\\]")


class UserTarget(Record):
    """A user with its rights."""

    name: str
    """Name of the service."""
    rules: tuple[str, ...]
    """Rules that grant: commands such as `+get`, and keys such as `%R~player:*`, sorted."""


def glob(template: str) -> str:
    """A pattern of the keys that a template writes; a blank, which no rule may contain, is any character."""
    text = ""
    for part in parse(template).parts:
        if isinstance(part, str):
            text += _SPECIAL.sub(r"\\\g<0>", part).replace(" ", "?")
        else:
            text += "{*}" if part.is_tag else "*"
    return text


def connecting(flavour: str, version: str | None, *, is_cluster: bool) -> tuple[str, ...]:
    """Rules for what a client of redis-py sends beside the commands of an application."""
    is_former = is_older(version or FLAVOURS[flavour].latest, "7.2")
    return (*_ON_CONNECT, *(() if is_former else _SINCE_7_2), *(_ON_CLUSTER if is_cluster else ()))


def place_users(
    users: Iterable[UserTarget], prefixes: tuple[str, ...], connecting: tuple[str, ...]
) -> Iterator[UserTarget]:
    """The users with keys under each prefix, and with the rights to connect."""
    for user in users:
        keys = (rule for rule in user.rules if "~" in rule)
        placed = {_prefixed(rule, prefix) for rule in keys for prefix in prefixes}
        commands = {rule for rule in user.rules if "~" not in rule}
        yield replace(user, rules=tuple(sorted(placed | commands | {*connecting})))


def unplace_users(users: Iterable[UserTarget], prefix: str) -> Iterator[UserTarget]:
    """The users without the rights to connect, with their keys under one prefix alone."""
    for user in users:
        yield replace(user, rules=tuple(sorted(_unplaced(user.rules, prefix))))


def _unplaced(rules: Iterable[str], prefix: str) -> Iterator[str]:
    for rule in rules:
        access, is_key, pattern = rule.partition("~")
        if not is_key and rule not in _CONNECTING:
            yield rule
        elif is_key and pattern.startswith(prefix):
            yield f"{access}~{pattern.removeprefix(prefix)}"


def _prefixed(rule: str, prefix: str) -> str:
    access, _, pattern = rule.partition("~")
    return f"{access}~{prefix}{pattern}"


def user_of(line: str) -> UserTarget:
    """The user of a line of ACL LIST, `user NAME on #... ~* +@all`, without its passwords."""
    _, name, *words = _words(line)
    granting = (word for word in words if word not in _STATES and word[0] not in "#>")
    return UserTarget(name, tuple(sorted(granting)))


def _words(line: str) -> list[str]:
    """The words of a line; a selector in parentheses is one word."""
    return re.findall(r"\([^)]*\)|\S+", line)
