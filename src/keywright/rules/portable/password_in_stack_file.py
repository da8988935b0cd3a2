"""GEN045: a stack file contains a password in clear."""

import re
from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext

_ADDRESS = re.compile(r"^[a-z][a-z0-9+.-]*://[^/\s:@]*:(?P<password>[^/\s@]+)@(?P<host>[^/\s:,?]+)")
_QUERY = re.compile(r"^[a-z][a-z0-9+.:-]*://[^\s]*[?&;](?:password|pwd)=(?P<password>[^&;\s]+)", re.IGNORECASE)
_SETTING = re.compile(
    r"(?:password|passwd|passphrase|pwd|auth[-_]?token|secret[-_]?key|access[-_]?token|api[-_]?key)$", re.IGNORECASE
)
_LOCAL = frozenset(("localhost", "127.0.0.1", "[::1]"))


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Report addresses with a password, and settings that are called one, unless they are references to variables."""
    environment = context.environment
    for text in environment.texts:
        address = _ADDRESS.match(text.text)
        match = address or _QUERY.match(text.text)
        is_password = bool(_SETTING.search(text.key)) and not text.text.startswith("arn:")
        password = match["password"] if match else text.text if is_password else ""
        if not password or password.startswith("$") or (address and address["host"] in _LOCAL):
            continue
        yield FindingDraft(
            problem=f'"{text.key}" contains a password in clear: everybody who can read the repository has access to '
            "the data, also after the line is removed",
            help=f"change the password, and store it by `pulumi config set --secret {text.key}`",
            subject=environment.name,
            at=text.at,
        )
