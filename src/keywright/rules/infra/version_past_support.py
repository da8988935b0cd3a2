"""INF622: a managed server runs a version whose support has ended."""

from collections.abc import Iterator
from datetime import date
from importlib import import_module

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.lifecycle import Lifecycle
from keywright.engines.findings.program.resource import ProgramResource
from keywright.rules.models import CATALOGUES

LIFECYCLES: tuple[Lifecycle, ...] = tuple(
    lifecycle
    for catalogue in CATALOGUES
    if catalogue.lifecycles
    for lifecycle in import_module(catalogue.lifecycles).LIFECYCLES
)
"""The lifecycles of all engines."""


def resource(program_resource: ProgramResource) -> Iterator[FindingDraft]:
    """Report every server whose version has no support today."""
    for lifecycle in LIFECYCLES:
        if program_resource.type != lifecycle.type or not _is_of(lifecycle, program_resource):
            continue
        version = program_resource.value(lifecycle.version)
        end = lifecycle.end(version) if version is not None else None
        if end is not None and end < date.today().isoformat():
            yield FindingDraft(
                problem=f"{lifecycle.version} is {version}, whose support in {lifecycle.title} ended on {end}: "
                f"{lifecycle.effect}",
                help=f"set {lifecycle.newer}, after a test of the application on a copy",
                subject=program_resource.urn,
            )


def _is_of(lifecycle: Lifecycle, resource: ProgramResource) -> bool:
    """Whether a resource runs the product of a lifecycle."""
    return all(resource.value(argument) in (None, *values) for argument, values in lifecycle.engines.items())
