"""INF615: the address of a store with its password is a resource input."""

import re
from collections.abc import Iterator
from typing import Any

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.resource import ProgramResource
from keywright.rules.models import CATALOGUES

_SCHEMES = "|".join(re.escape(scheme) for catalogue in CATALOGUES for scheme in catalogue.schemes)
_URI = re.compile(rf"({_SCHEMES})://[^/\s@]*:[^/\s@]+@")


def resource(program_resource: ProgramResource) -> Iterator[FindingDraft]:
    """Report every such text in a resource of keywright's provider or of a dynamic provider."""
    if program_resource.type.startswith(("keywright:", "pulumi-python:dynamic")):
        for path, text in _texts(dict(program_resource.inputs), ""):
            if match := _URI.search(text):
                yield FindingDraft(
                    problem=f"{path} contains an address of {match[1]} with its password, which remains in the state",
                    help="store it in the configuration: pulumi config set --secret keywright:...Uri",
                    subject=program_resource.urn,
                )


def _texts(value: Any, path: str) -> Iterator[tuple[str, str]]:
    match value:
        case str():
            yield path, value
        case dict() | list():
            rows = value.items() if isinstance(value, dict) else enumerate(value)
            for key, part in rows:
                yield from _texts(part, f"{path}.{key}" if path else str(key))
