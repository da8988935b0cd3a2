"""INF621: an IAM policy allows access to all tables or clusters of the account."""

import re
from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.iam_documents import identity_statements
from keywright.engines.findings.program.resource import ProgramResource
from keywright.rules.models import CATALOGUES

_SERVICES = {prefix: title for catalogue in CATALOGUES for prefix, title in catalogue.iam.items()}

_OF_ACCOUNTS = ("list", "describe", "purchase")
"""First words of actions that read no data, or that take no resource.
Source: https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazondynamodb.html, 2026-11-23."""


def resource(program_resource: ProgramResource) -> Iterator[FindingDraft]:
    """Report every statement without a condition that allows named actions on every resource of a service."""
    for statement in identity_statements(program_resource):
        if statement.is_conditional:
            continue
        for prefix, title in _SERVICES.items():
            actions = [action for action in statement.actions if _is_of_data(action, prefix)]
            patterns = [pattern for pattern in statement.resources if _is_everything(pattern, prefix)]
            if actions and patterns:
                yield FindingDraft(
                    problem=f'"{patterns[0]}" is everything of {title} in the account, also the data of other '
                    f"applications: {', '.join(actions)}",
                    help="name the tables or clusters of this application by their ARNs",
                    subject=program_resource.urn,
                )


def _is_of_data(action: str, prefix: str) -> bool:
    """Whether an action, but not all actions, of a service reads or changes its resources."""
    service, _, verb = action.partition(":")
    return service == prefix and verb != "*" and not verb.startswith(_OF_ACCOUNTS)


def _is_everything(pattern: str, prefix: str) -> bool:
    """Whether a pattern of ARNs matches every resource of a service, at least in one region."""
    if pattern == "*":
        return True
    parts = pattern.split(":", 5)
    is_of_service = len(parts) == 6 and parts[2] in (prefix, "*")
    return is_of_service and re.fullmatch(r"/?(\w+[/:])?\*(/[\w*/]*)?", parts[5]) is not None
