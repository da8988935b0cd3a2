"""Ends the wait for servers whose certificates are rejected: the client would retry until it times out."""

import threading
from collections.abc import Collection
from typing import Any

from keywright.drivers.address import options_of
from keywright.drivers.redact import is_by_certificate
from keywright.drivers.translate_errors import not_installed

try:
    from pymongo.monitoring import ServerHeartbeatListener
except ImportError as error:
    raise not_installed("mongodb") from error

SECONDS = 2
"""The longest wait for the first answers; after it, the client continues without this check."""


def is_secured(url: str) -> bool:
    """Whether an address requires TLS."""
    options = {name.lower(): value.lower() for name, value in options_of(url.partition("?")[2])}
    return options.get("tls", options.get("ssl", "true" if url.startswith("mongodb+srv:") else "false")) == "true"


class FirstAnswers(ServerHeartbeatListener):
    """The first answer, or failure, of each server that an address names."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._failures: dict[Any, BaseException] = {}
        self._is_answered = False

    def started(self, event: Any) -> None:
        """Do nothing: the result is still unknown."""

    def succeeded(self, event: Any) -> None:
        """Record the first answer; one server is enough."""
        with self._changed:
            self._is_answered = True
            self._changed.notify_all()

    def failed(self, event: Any) -> None:
        """Record the failure."""
        with self._changed:
            self._failures[event.connection_id] = event.reply
            self._changed.notify_all()

    def refused(self, servers: Collection[Any]) -> BaseException | None:
        """The failure of the first server if all certificates are rejected; None if a server may still answer.

        servers: (host, port) of each server.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._is_answered or self._failures.keys() >= {*servers}, SECONDS)
            failures = [self._failures[server] for server in servers if server in self._failures]
            is_final = len(failures) == len(servers) and all(is_by_certificate(str(failure)) for failure in failures)
            return failures[0] if failures and is_final and not self._is_answered else None
