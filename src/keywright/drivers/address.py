"""Parts of addresses: options, and TLS contexts from files, with errors that name an unusable file."""

import ssl
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qsl

from keywright.engines.interface import StatementFailed


def tls_context(
    authority: str | None, client_certificate: str | None, key: str | None = None, password: str = ""
) -> ssl.SSLContext:
    """A context that checks the server's certificate and the name in it.

    authority: file of the accepted authorities, in PEM; None for those of the system. client_certificate: file with the
    client's certificate, and with its key if `key` is None. password: password of the key; without one, a key with a
    password is rejected, because OpenSSL would prompt for it on the terminal.
    Raises StatementFailed for a file that cannot be read or has other contents.
    """
    sslcontext = ssl.create_default_context()
    if authority is not None:
        _load_file(authority, lambda: sslcontext.load_verify_locations(authority))
    if key is not None:
        _load_file(key, lambda: None)
    if client_certificate is not None:
        _load_file(
            client_certificate, lambda: sslcontext.load_cert_chain(client_certificate, key, password=lambda: password)
        )
    sslcontext.minimum_version = ssl.TLSVersion.TLSv1_2
    return sslcontext


def _load_file(file: str, load: Callable[[], None]) -> None:
    try:
        Path(file).read_bytes()  # OpenSSL's error is the same for a missing file and a folder
        load()
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", None) or getattr(error, "strerror", None) or "wrong contents"
        why = str(reason).lower().replace("_", " ")
        raise StatementFailed(f'the certificate file "{file}" of its address cannot be read: {why}') from error


def options_of(query: str) -> list[tuple[str, str]]:
    """(name, value) of every option in the query string of an address.

    Raises StatementFailed if an option has no value. The message does not quote it, because it may be a secret.
    """
    if any("=" not in part for part in query.split("&") if part):
        raise StatementFailed("its address has an option without a value; write ?name=value&name=value")
    return parse_qsl(query, keep_blank_values=True)
