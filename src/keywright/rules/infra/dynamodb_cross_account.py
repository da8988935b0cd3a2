"""INF105: a DynamoDB table or stream is open to everybody, or to accounts that nobody has named."""

import re
from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw
from keywright.engines.flaws.iam import allowed
from keywright.engines.flaws.resource import Resource

POLICY = "aws:dynamodb/resourcePolicy:ResourcePolicy"

_ACCOUNT = re.compile(r"(?:^|::)(\d{12})(?::|$)")


def resource(one: Resource, *, accounts: tuple[str, ...] = ()) -> Iterator[Flaw]:
    """Every policy of a table or stream that lets others in.

    accounts: numbers of the accounts that may be let in, one's own among them.
    """
    if one.type != POLICY:
        return
    for statement in allowed(one.value("policy")):
        for principal in statement.principals:
            found = _ACCOUNT.search(principal)
            if principal == "*" and not statement.is_conditional:
                whom = "everybody"
            elif found and found[1] not in accounts:
                whom = f"account {found[1]}"
            else:
                continue
            yield Flaw(
                problem=f"the policy lets {whom} in",
                help="name the roles that need it; and their accounts in the parameter accounts of this rule",
                subject=one.urn,
            )
