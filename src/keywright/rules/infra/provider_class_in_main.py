"""INF614: a dynamic provider class in the main program is stored in the state as code."""

import base64
import binascii
from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.resource import ProgramResource

DYNAMIC = "pulumi-python:dynamic"


def resource(program_resource: ProgramResource) -> Iterator[FindingDraft]:
    """Report every dynamic resource whose provider is not a reference to a module."""
    if not program_resource.type.startswith(DYNAMIC):
        return
    provider = program_resource.value("__provider")
    if isinstance(provider, str) and b"__main__" in _decoded(provider):
        yield FindingDraft(
            problem="its provider class is in __main__, so that the state contains its code, which deletes execute",
            help="move the class to a module of an installed package, so that the state contains its name only",
            subject=program_resource.urn,
        )


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return text.encode()
