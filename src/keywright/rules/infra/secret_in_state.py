"""INF612: a password is a resource input and remains in the state of the stack."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program_resource import ProgramResource
from keywright.rules.models import CATALOGUES

SECRETS = {type: secret for catalogue in CATALOGUES for type, secret in catalogue.passwords.items()}
"""(input, replacement) by type.
Source: https://www.pulumi.com/registry/packages/aws/api-docs/, 2026-11-22."""


def resource(program_resource: ProgramResource) -> Iterator[FindingDraft]:
    """Report every such input, with or without a known value."""
    argument, instead = SECRETS.get(program_resource.type, ("", ""))
    if argument and argument in program_resource.inputs:
        yield FindingDraft(
            problem=f"{argument} remains in the state, where everybody with access and its key can read the password",
            help=f"use {instead}",
            subject=program_resource.urn,
        )
