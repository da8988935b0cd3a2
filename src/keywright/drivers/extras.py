"""The one sentence for an extra that is not installed; every driver module raises it in place of an import error."""

from keywright.errors import Unavailable


def not_installed(extra: str) -> Unavailable:
    """The error of a driver whose client library is missing, naming the extra that brings it."""
    return Unavailable(f'the extra "{extra}" is not installed', f'pip install "keywright[{extra}]"')
