"""GEN035: a key contains personal data."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.personal import is_number_of_thing, is_pseudonym, key_fields, lifetime
from keywright.ir.personal import is_personal_path


def models(context: RuleContext, *, brief_seconds: int = 300) -> Iterator[FindingDraft]:
    """Report every entity with a field marked `Pii` in the key of its items, unless the field is an id or a hash.

    brief_seconds: lifetime up to which a key is not reported.
    """
    for binding in context.design.bindings:
        seconds = lifetime(binding)
        if seconds is not None and seconds <= brief_seconds:
            continue
        paths = (path for path in key_fields(binding) if is_personal_path(binding, path))
        path = next(
            (path for path in paths if not is_pseudonym(binding, path) and not is_number_of_thing(binding, path)), None
        )
        if path is not None:
            yield FindingDraft(
                problem=f'its key contains the personal field "{path}": keys appear in clear in logs, traces and '
                "references, and cannot be changed or erased without the item",
                help=f'use a generated id, or a keyed hash (HMAC) of "{path}" in a field of its own',
                subject=binding.name,
            )
