"""Checks an address of MongoDB before the client parses it, and rejects what the client would warn of or fail on."""

from importlib.util import find_spec

from keywright.drivers.address import options_of, tls_context
from keywright.drivers.translate_errors import not_installed
from keywright.engines.interface import StatementFailed

try:
    from pymongo.errors import PyMongoError
    from pymongo.uri_parser import validate_options
except ImportError as error:
    raise not_installed("mongodb") from error

FILES = ("tlscafile", "tlscertificatekeyfile")
"""Options that name files of certificates, in lower case."""


def check(url: str) -> None:
    """Raise StatementFailed for options that are unknown, have a wrong value or name files that cannot be read.

    The message names options and files but no other values, because these may be secret.
    """
    pairs = options_of(url.partition("?")[2])
    for name, value in pairs:
        if name.lower() in FILES:
            continue
        try:
            validate_options({name: value}, warn=False)
        except (PyMongoError, OSError, ValueError, TypeError) as error:
            if str(error).startswith("Unknown option"):
                raise StatementFailed(f'its address has the unknown option "{name}"') from error
            raise StatementFailed(f'the option "{name}" of its address has an invalid value') from error
    options = {name.lower(): value for name, value in pairs}
    if options.get("authmechanism") == "MONGODB-AWS" and find_spec("pymongo_auth_aws") is None:
        raise StatementFailed('MONGODB-AWS needs the package pymongo-auth-aws: pip install "pymongo[aws]"')
    authority, certificate = (options.get(name) for name in FILES)
    if authority or certificate:
        tls_context(authority, certificate, password=options.get("tlscertificatekeyfilepassword", ""))
