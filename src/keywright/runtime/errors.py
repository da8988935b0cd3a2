"""Errors that an application may handle: values rejected before anything is sent, and unreadable items."""

from typing import Any

from keywright.access.partial_write import Versions
from keywright.errors import KeywrightError, UsageError


class InvalidValue(UsageError, ValueError):
    """A value of a call that its field rejects; nothing was sent.

    The error contains no part of the value, neither in its text nor as its cause.
    """

    def __init__(self, pattern: str, argument: str, given: str, reason: str, help: str = "") -> None:
        what = f'this {given} for "{argument}"' if argument else f"this {given}"
        super().__init__(
            f'"{pattern}" does not accept {what}: {reason}' if pattern else f"{what} is invalid: {reason}", help
        )
        self.pattern = pattern
        """Name of the pattern."""
        self.argument = argument
        """Keyword of the call, or field of the instance, with the path inside it."""
        self.given = given
        """Name of the value's type."""
        self.reason = reason
        """The problem and the allowed values."""


class InvalidCursor(InvalidValue):
    """A cursor that is broken, of another pattern, or of a call with other values."""

    def __init__(self, pattern: str, reason: str, given: str = "str") -> None:
        help = "pass the cursor of an earlier page of the same pattern, called with the same values"
        super().__init__(pattern, "cursor", given, reason, help)


class WrongVersion(KeywrightError):
    """An update or increment of an item whose schema version differs from the code's; nothing was changed.

    It is not a ConditionFailed, because handlers of an application's own conditions would be wrong here.
    """

    def __init__(self, entity: str, stored: int, code: int) -> None:
        if stored > code:
            problem = f'this "{entity}" has been converted to version {stored}, and this code writes version {code}'
            help = f"deploy code that writes version {stored}, and stop this code"
        else:
            problem = f'this "{entity}" still has version {stored}, and a backfill converts it to version {code}'
            help = "call again after the backfill, which `keywright migrate status` shows, or put the whole item"
        super().__init__(problem, help)
        self.entity = entity
        """Name of the model, or of its binding."""
        self.stored = stored
        """Schema version of the item."""
        self.code = code
        """Schema version that the code writes."""


def wrong_version(entity: str, versions: Versions | None, value: Any) -> WrongVersion | None:
    """The error for an item whose version is not admitted; None if it is.

    value: the stored version of the item; anything but a whole number counts as version 1.
    """
    stored = value if isinstance(value, int) and not isinstance(value, bool) else 1
    if versions is None or versions.least <= stored <= versions.most:
        return None
    return WrongVersion(entity, stored, versions.most)


class InvalidItem(KeywrightError, ValueError):
    """A stored item that does not fit its model; the text does not contain its values."""

    def __init__(self, entity: str, key: Any, reason: str, *, is_personal: bool = False) -> None:
        shown = " of a personal key" if is_personal else f" with the key {key!r}" if key is not None else ""
        help = 'correct the item, or declare kw.Upgrade; on_invalid="skip" reads the others'
        super().__init__(f'the "{entity}"{shown} does not fit its model: {reason}', help)
        self.entity = entity
        """Name of the model, or of its binding."""
        self.key = key
        """The stored key of the item; None if it is unknown whether the key is personal."""
        self.reason = reason
        """The fields that do not fit, and the reasons."""


class Unstorable(InvalidValue):
    """A value that a store cannot hold, found on conversion to its native form; the call adds the pattern."""

    def __init__(self, reason: str, argument: str = "", given: str = "value", help: str = "") -> None:
        super().__init__("", argument, given, reason, help)
