"""Converts addresses of Cassandra to options of its client: contact points, TLS, Astra's bundle, Keyspaces.

`cassandra://user:password@host:9042,host2/?tls=true&tlsCAFile=ca.pem`. Options have the names of MongoDB's options, so
that all engines use the same names.
"""

import socket
import ssl
from typing import Any
from urllib.parse import unquote, urlsplit

from keywright.drivers.address import options_of, tls_context
from keywright.drivers.translate_errors import not_installed
from keywright.engines.interface import ServerUnreachable, StatementFailed
from keywright.errors import did_you_mean
from keywright.record import Record

try:
    from cassandra.auth import PlainTextAuthProvider
    from cassandra.connection import DefaultEndPoint
except ImportError as error:
    raise not_installed("cassandra") from error

PORT = 9042
"""Default port of the native transport."""

OPTIONS = ("tls", "tlsCAFile", "tlsCertificateKeyFile", "secureConnectBundle", "sigV4Region")
"""Options of an address."""


class Named(DefaultEndPoint):  # type: ignore[misc]  # the client has no types
    """A contact point whose certificate is checked against the host name in the address, not the IP address."""

    def __init__(self, address: str, port: int, name: str) -> None:
        super().__init__(address, port)
        self._name = name

    @property
    def ssl_options(self) -> dict[str, Any]:
        """Options of its TLS connection."""
        return {"server_hostname": self._name}


class Address(Record):
    """The parts of an address."""

    hosts: tuple[tuple[str, int], ...]
    """(name, port) of each contact point; empty if a bundle contains them."""
    login: Any
    """The authentication provider; None without a login."""
    context: ssl.SSLContext | None
    """The TLS context of connections; None without TLS."""
    bundle: str
    """Path of Astra's secure connect bundle; empty for none."""

    def points(self) -> list[DefaultEndPoint]:
        """The contact points with resolved names. Raises StatementFailed for an unknown name."""
        endpoints: list[DefaultEndPoint] = []
        for name, port in self.hosts:
            try:
                entries = socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)
            except OSError as error:
                raise ServerUnreachable(f'the name "{name}" is unknown') from error
            # The client uses TLS for an endpoint with a name, even without a context.
            ip_addresses = (str(entry[4][0]) for entry in entries)
            endpoints += [
                Named(ip_address, port, name) if self.context else DefaultEndPoint(ip_address, port)
                for ip_address in ip_addresses
            ]
        return list(dict.fromkeys(endpoints))


def parse(url: str) -> Address:
    """Parse an address. Raises StatementFailed for an invalid one, with a message that contains no secret."""
    try:
        return _parsed(url)
    except ValueError as error:  # its message may contain a part of the address
        raise ServerUnreachable("its address is invalid") from error


def _parsed(url: str) -> Address:
    parts = urlsplit(url)
    options = dict(options_of(parts.query))
    for name in options:
        if name not in OPTIONS:
            raise StatementFailed(f'its address has the unknown option "{name}"; {did_you_mean(name, OPTIONS)}')
    hosts = [urlsplit(f"//{part}") for part in parts.netloc.rpartition("@")[2].split(",")]
    login = PlainTextAuthProvider(unquote(parts.username or ""), unquote(parts.password or ""))
    region = options.get("sigV4Region")
    return Address(
        hosts=tuple((host.hostname or "127.0.0.1", host.port or PORT) for host in hosts),
        login=_signing(region) if region else login if parts.username else None,
        context=_context(options),
        bundle=options.get("secureConnectBundle", ""),
    )


def _signing(region: str) -> Any:
    from keywright.drivers.cassandra.sigv4 import SigV4Provider  # only Keyspaces needs boto3

    return SigV4Provider(region)


def _context(options: dict[str, str]) -> ssl.SSLContext | None:
    """A context that checks certificates and their names; None without TLS."""
    tls_option = options.get("tls", "true" if options.keys() & {"tlsCAFile", "tlsCertificateKeyFile"} else "false")
    if tls_option not in ("true", "false"):
        raise StatementFailed("its address has an option tls that is neither true nor false")
    if tls_option == "false":
        return None
    return tls_context(options.get("tlsCAFile"), options.get("tlsCertificateKeyFile"))
