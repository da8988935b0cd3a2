"""INF211: an ElastiCache user needs no password."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.resource import ProgramResource

USER = "aws:elasticache/user:User"


def resource(program_resource: ProgramResource) -> Iterator[FindingDraft]:
    """Report every enabled user without a password; a user whose access string begins with `off` cannot log in."""
    if program_resource.type != USER:
        return
    is_open = (
        program_resource.value("noPasswordRequired")
        or program_resource.value("authenticationMode.type") == "no-password-required"
    )
    access = str(program_resource.value("accessString") or "")
    if is_open and "on" in access.lower().split():
        yield FindingDraft(
            problem=f'the user needs no password: every client with network access has its rights, "{access}"',
            help='set authentication_mode={"type": "iam"}, or passwords_wo=; set access_string="off ~* -@all" for a '
            "default user that nobody needs",
            subject=program_resource.urn,
        )
