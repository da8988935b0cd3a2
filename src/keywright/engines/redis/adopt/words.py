"""Words of keys that may stand in a file: those of data structures and programs, and those that the store shows."""

import re
from collections.abc import Collection
from importlib.resources import files

_LISTED = frozenset(files(__package__).joinpath("known_words.txt").read_text(encoding="utf-8").split())
"""Words that name no person and no secret."""

_PERSONS = frozenset((
    "account", "agent", "author", "by", "client", "contact", "customer", "driver", "email", "follower", "friend",
    "from", "guest", "invite", "login", "mail", "member", "name", "otp", "owner", "password", "player", "profile",
    "reset", "rider", "secret", "sender", "session", "subscriber", "to", "token", "user", "username", "viewer",
    "visitor",
))  # fmt: skip
"""Words before names and tokens."""

SCHEDULES = frozenset(("deadline", "delayed", "due", "expiry", "retry", "schedule", "scheduled", "timeout", "timer"))
"""Words of keys with sorted sets whose scores are times to come."""

_PIECE = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_VERSION = re.compile(r"v\d$")


class KnownWords:
    """The words that are known: the listed ones, and those that the store shows to be no values."""

    def __init__(self, shown: Collection[str]) -> None:
        """shown: first words of many keys, and names of fields."""
        self._words = _LISTED | {piece for word in shown for piece in pieces(word)}

    def __contains__(self, word: str) -> bool:
        own = pieces(word)
        return bool(own) and all(self._is_known(piece) for piece in own)

    def _is_known(self, piece: str) -> bool:
        return len(piece) == 1 or bool(_VERSION.match(piece)) or not self._words.isdisjoint(forms(piece))


def pieces(word: str) -> list[str]:
    """The words of a compound such as `online_users`, in small letters."""
    return [word] if _VERSION.match(word) else [piece.lower() for piece in _PIECE.findall(word)]


def forms(piece: str) -> tuple[str, ...]:
    """A word, and those of which it may be the plural."""
    return (piece, piece.removesuffix("s"), piece.removesuffix("es"), f"{piece.removesuffix('ies')}y")


def names_persons(word: str) -> bool:
    """Whether a name or a token may follow a word."""
    return any(not _PERSONS.isdisjoint(forms(piece)) for piece in pieces(word)[-1:])
