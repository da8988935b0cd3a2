"""GEN036: a field contains a password or the data of a payment card as the user entered it."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext, fields
from keywright.engines.findings.personal import secret_content

_REMEDIES = {
    "a password": "store a salted hash by Argon2id, scrypt or bcrypt in a field such as password_hash",
    "a bank account": "store the token or mandate of the payment provider, and the last four digits to display",
}
_OF_CARDS = "store the token of the payment provider, and the last four digits to display"


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Report fields with such a name and type, embedded models included; bank accounts only in sessions and caches."""
    for binding in context.design.bindings:
        is_passing = binding.spec.kind in ("session", "cache", "token")
        for path, attribute in fields(binding.entity.attributes):
            content = secret_content(binding.entity.name, path, attribute)
            if content is None or (content == "a bank account" and not is_passing):
                continue
            yield FindingDraft(
                problem=f'"{path}" contains {content} in clear: a reader of the store, a backup or a log has it',
                help=_REMEDIES.get(content, _OF_CARDS),
                subject=binding.name,
                field=path.partition(".")[0],
            )
