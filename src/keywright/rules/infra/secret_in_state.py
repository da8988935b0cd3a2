"""INF612: a password is a resource input and remains in the state of the stack."""

from collections.abc import Iterator, Mapping

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.resource import ProgramResource
from keywright.rules.models import CATALOGUES

SECRETS = [
    (type, *secret)
    for catalogue in CATALOGUES
    for passwords in (catalogue.passwords, catalogue.nested_passwords)
    for type, secret in passwords.items()
]
"""(type, path of the input, replacement).
Source: https://www.pulumi.com/registry/packages/aws/api-docs/, 2026-11-22."""


def resource(program_resource: ProgramResource) -> Iterator[FindingDraft]:
    """Report every such input, with or without a known value."""
    for type, path, instead in SECRETS:
        if program_resource.type == type and _has(program_resource, path):
            yield FindingDraft(
                problem=f"{path} remains in the state, where everybody with access and its key can read the password",
                help=f"use {instead}",
                subject=program_resource.urn,
            )


def _has(resource: ProgramResource, path: str) -> bool:
    """Whether an input is set, to a known or unknown value; an unknown block has unknown contents."""
    first, _, rest = path.partition(".")
    if not rest:
        return first in resource.inputs
    block = resource.inputs.get(first)
    return isinstance(block, Mapping) and rest in block
