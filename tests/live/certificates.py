"""Certificates for one test: an authority, a server called `localhost`, a client, and another authority."""

import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from keywright.record import Record


class Certificates(Record):
    """Files in PEM."""

    authority: Path
    """The certificate that the others are signed by."""
    server: Path
    """Key and certificate of a server that is called `localhost`, and has no number in its names."""
    client: Path
    """Key and certificate of a client."""
    stranger: Path
    """The certificate of an authority that signed neither."""
    expired: Path
    """Key and certificate of the same server, whose time has passed."""


def certificates(folder: Path) -> Certificates:
    """Made by openssl, valid for a day."""
    for name in ("authority", "stranger"):
        _openssl(folder, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", f"/CN={name}",
                 "-keyout", f"{name}.key", "-out", f"{name}.pem")  # fmt: skip
    for name, extension in (("server", "subjectAltName=DNS:localhost"), ("client", "extendedKeyUsage=clientAuth")):
        (folder / f"{name}.ext").write_text(extension, encoding="utf-8")
        _openssl(folder, "req", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={name}", "-keyout", f"{name}.key",
                 "-out", f"{name}.csr")  # fmt: skip
        _openssl(folder, "x509", "-req", "-days", "1", "-in", f"{name}.csr", "-CA", "authority.pem", "-CAkey",
                 "authority.key", "-CAcreateserial", "-extfile", f"{name}.ext", "-out", f"{name}.crt")  # fmt: skip
        both = (folder / f"{name}.key").read_text() + (folder / f"{name}.crt").read_text()
        (folder / f"{name}.pem").write_text(both, encoding="utf-8")
    # A certificate of minus one day is what OpenSSL keeps for tests of expiry.
    _openssl(folder, "x509", "-req", "-days", "-1", "-in", "server.csr", "-CA", "authority.pem", "-CAkey",
             "authority.key", "-CAcreateserial", "-extfile", "server.ext", "-out", "expired.crt")  # fmt: skip
    expired = (folder / "server.key").read_text() + (folder / "expired.crt").read_text()
    (folder / "expired.pem").write_text(expired, encoding="utf-8")
    names = ("authority", "server", "client", "stranger", "expired")
    return Certificates(*(folder / f"{name}.pem" for name in names))


def _openssl(folder: Path, *words: str) -> None:
    subprocess.run(("openssl", *words), cwd=folder, check=True, capture_output=True)


@contextmanager
def front(certificate: Path) -> Iterator[int]:
    """The port of a listener on loopback that shakes hands by TLS and does nothing else.

    For certificates with which a server does not start. certificate: file of its key and certificate.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def shake() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return  # closed: the test is over
                with suppress(OSError), context.wrap_socket(connection, server_side=True) as secured:
                    secured.recv(1)

        thread = threading.Thread(target=shake, daemon=True)
        thread.start()
        try:
            yield int(listener.getsockname()[1])
        finally:
            with suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
    thread.join(10)
