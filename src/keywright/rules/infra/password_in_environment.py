"""INF624: an environment variable of a function or container contains the password of a store."""

import re
from collections.abc import Iterator
from typing import Any

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.resource import ProgramResource
from keywright.rules.models import CATALOGUES

_PLACES = {
    "aws:lambda/function:Function": "environment",
    "aws:ecs/taskDefinition:TaskDefinition": "containerDefinitions",
    "aws:apprunner/service:Service": "sourceConfiguration",
    "aws:batch/jobDefinition:JobDefinition": "containerProperties",
}
"""The argument with environment variables, by type of resource."""

_SCHEMES = "|".join(re.escape(scheme) for catalogue in CATALOGUES for scheme in catalogue.schemes)
_URI = re.compile(rf"({_SCHEMES})://[^/\s@:\"]*:(?![$<{{])[^/\s@\"]+@")


def resource(program_resource: ProgramResource) -> Iterator[FindingDraft]:
    """Report every address of a store with its password; a placeholder such as `$PASSWORD` is none."""
    argument = _PLACES.get(program_resource.type)
    for text in _texts(program_resource.inputs.get(argument)) if argument else ():
        for match in _URI.finditer(text):
            yield FindingDraft(
                problem=f"{argument} contains an address of {match[1]} with its password: everybody who may describe "
                "the resource can read it",
                help="pass the ARN of a secret in Secrets Manager, and read it in the application; or use IAM",
                subject=program_resource.urn,
            )


def _texts(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict() | list():
            for part in value.values() if isinstance(value, dict) else value:
                yield from _texts(part)
