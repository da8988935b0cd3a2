"""INF620: an IAM policy allows every action of a database service."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.iam import allowed
from keywright.engines.findings.program.iam_documents import identity_statements, managed_policies
from keywright.engines.findings.program.resource import ProgramResource
from keywright.rules.models import CATALOGUES

_SERVICES = {f"{prefix}:*": title for catalogue in CATALOGUES for prefix, title in catalogue.iam.items()}

_FULL_ACCESS = {
    **{name: title for catalogue in CATALOGUES for name, title in catalogue.full_access.items()},
    **dict.fromkeys(("AdministratorAccess", "PowerUserAccess"), "every service"),
}
"""What a managed policy of AWS allows entirely.
Source: https://docs.aws.amazon.com/aws-managed-policy/latest/reference/policy-list.html, 2026-11-23."""

_RESOURCE_POLICIES = tuple(type for catalogue in CATALOGUES for type in catalogue.resource_policies)

_HELP = "allow the actions that the patterns need; `policy` of keywright.pulumi makes such a document"


def resource(program_resource: ProgramResource, *, allow: tuple[str, ...] = ()) -> Iterator[FindingDraft]:
    """Report every attached policy of AWS with full access, and every statement without a condition like that.

    allow: names of managed policies that are accepted.
    """
    for name in managed_policies(program_resource):
        if name in _FULL_ACCESS and name not in allow:
            yield _draft(f"{name} allows every action of {_FULL_ACCESS[name]}", program_resource)
    is_of_resource = program_resource.type in _RESOURCE_POLICIES
    statements = allowed(program_resource.value("policy")) if is_of_resource else identity_statements(program_resource)
    for statement in statements:
        for action in statement.actions:
            title = "every service" if action == "*" else _SERVICES.get(action)
            if title and not statement.is_conditional:
                scope = "" if is_of_resource else f" on {', '.join(statement.resources) or 'what it names'}"
                rest = f" except {', '.join(statement.excepted)}" if statement.excepted else ""
                yield _draft(f'"{action}" allows every action of {title}{rest}{scope}', program_resource)


def _draft(cause: str, resource: ProgramResource) -> FindingDraft:
    return FindingDraft(
        problem=f"{cause}: its holder can also delete the data and its backups", help=_HELP, subject=resource.urn
    )
