"""INF105: a resource policy opens a DynamoDB table or stream to everybody, or to an unlisted account."""

import re
from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.iam import allowed
from keywright.engines.findings.program.resource import ProgramResource

POLICY = "aws:dynamodb/resourcePolicy:ResourcePolicy"

_ACCOUNT = re.compile(r"(?:^|::)(\d{12})(?::|$)")


def resource(program_resource: ProgramResource, *, accounts: tuple[str, ...] = ()) -> Iterator[FindingDraft]:
    """Report every policy of a table or stream that grants access to others.

    accounts: numbers of the allowed accounts, including the own account.
    """
    if program_resource.type != POLICY:
        return
    for statement in allowed(program_resource.value("policy")):
        for principal in statement.principals:
            match = _ACCOUNT.search(principal)
            if principal == "*" and not statement.is_conditional:
                grantee = "everybody"
            elif match and match[1] not in accounts:
                grantee = f"account {match[1]}"
            else:
                continue
            yield FindingDraft(
                problem=f"the policy grants access to {grantee}",
                help="name the roles that need access, and add their accounts to the parameter accounts of this rule",
                subject=program_resource.urn,
            )
