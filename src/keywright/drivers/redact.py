"""Removes quoted values of stored items from servers' messages, which reach terminals, logs and histories.

Each driver keeps messages about definitions and rights, which it recognises by the server's error code, and only the
parts of other messages that no item can contain.
"""

import re

from keywright.engines.interface import ServerUnreachable

_QUOTED = re.compile(r"""\{.*(\}|\Z)|(?<!\w)".*("|\Z)|(?<!\w)'.*('|\Z)""", re.DOTALL)


def without_quotes(text: str) -> str:
    """A text without its part in braces or quotation marks, from the first to the last mark, because the quoted value
    may contain marks. An apostrophe in a word does not count.
    """
    return _QUOTED.sub("...", text)


_CLOSED = re.compile(
    r"closed|reset by peer|EOF occurred|broken pipe|wrong version number|not an SSL|certificate.required", re.IGNORECASE
)
"""Client messages for a connection that the server closed: TLS on one side only, or a missing client certificate."""


_CERTIFICATE = re.compile(r"certificate verify failed: (.+?)\.?(?= \(|$)", re.DOTALL)
"""OpenSSL's reason for rejecting a certificate."""

_UNSIGNED = re.compile(r"issuer certificate|self.signed|first certificate")


def is_by_certificate(message: str) -> bool:
    """Whether a client's message is about a rejected server certificate."""
    return _CERTIFICATE.search(message) is not None


def unreachable(message: str, *, is_silent: bool = False) -> ServerUnreachable:
    """The failure of a server that could not be reached, from the client's message.

    is_silent: whether the server accepted the connection but sent nothing, such as one that does not expect TLS.
    """
    if rejected := _CERTIFICATE.search(message):
        reason = rejected[1]
        unsigned = "no accepted authority has signed it: " if _UNSIGNED.search(reason) else ""
        return ServerUnreachable(f"its certificate is not valid: {unsigned}{reason}")
    hint = " (does the server use TLS, and does it require a client certificate?)"
    return ServerUnreachable(f"{message}{hint if is_silent or _CLOSED.search(message) else ''}")


def before(text: str, *separators: str) -> str:
    """The text before the first of some separators."""
    for separator in separators:
        text = text.partition(separator)[0]
    return text.rstrip(" :,;-")
