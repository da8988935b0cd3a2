"""The policy documents and the attached managed policies of IAM resources of a Pulumi program."""

from collections.abc import Iterator

from .iam import Allowed, allowed
from .resource import ProgramResource, Unknown

_POLICIES = (
    "aws:iam/policy:Policy", "aws:iam/rolePolicy:RolePolicy", "aws:iam/userPolicy:UserPolicy",
    "aws:iam/groupPolicy:GroupPolicy",
)  # fmt: skip

_ROLE = "aws:iam/role:Role"

_ATTACHMENTS = (
    "aws:iam/rolePolicyAttachment:RolePolicyAttachment", "aws:iam/userPolicyAttachment:UserPolicyAttachment",
    "aws:iam/groupPolicyAttachment:GroupPolicyAttachment", "aws:iam/policyAttachment:PolicyAttachment",
)  # fmt: skip


def identity_statements(resource: ProgramResource) -> Iterator[Allowed]:
    """The Allow statements of a policy, or of the policies inside a role; none for any other resource."""
    if resource.type in _POLICIES:
        yield from allowed(resource.value("policy"))
    elif resource.type == _ROLE:
        for policy in resource.value("inlinePolicies") or ():
            yield from allowed(policy.get("policy"))


def managed_policies(resource: ProgramResource) -> Iterator[str]:
    """Names of the managed policies of AWS that a resource attaches.

    An ARN that is not known is that of a policy of the program, because those of AWS are constants.
    """
    arns: list[object] = []
    if resource.type in _ATTACHMENTS:
        arns = [resource.inputs.get("policyArn")]
    elif resource.type == _ROLE:
        listed = resource.inputs.get("managedPolicyArns")
        arns = list(listed) if isinstance(listed, list) else []
    for arn in arns:
        if not isinstance(arn, Unknown) and ":aws:policy/" in str(arn):
            yield str(arn).rpartition("/")[2]
