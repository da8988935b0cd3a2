"""GEN035: a key contains personal data."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.expiry import is_expiring, lifetime
from keywright.engines.findings.personal import (
    has_hash_in_key,
    is_network_address,
    is_number_of_thing,
    is_pointer,
    is_pseudonym,
    key_fields,
)
from keywright.ir.binding import Binding
from keywright.ir.personal import is_personal_path


def models(context: RuleContext, *, brief_seconds: int = 300) -> Iterator[FindingDraft]:
    """Report every entity with a field marked `Pii` in the key of its items, unless the field is an id or a hash.

    brief_seconds: lifetime up to which a key is not reported.
    """
    are_hashed = any(map(has_hash_in_key, context.design.bindings))
    for binding in context.design.bindings:
        seconds = lifetime(binding)
        if seconds is not None and seconds <= brief_seconds:
            continue
        paths = (path for path in key_fields(binding) if is_personal_path(binding, path))
        path = next((path for path in paths if not _is_needed(binding, path, are_hashed)), None)
        if path is not None:
            yield FindingDraft(
                problem=f'its key contains the personal field "{path}": keys appear in clear in logs, traces and '
                "references, and cannot be changed or erased without the item",
                help=f'use a generated id, or a keyed hash (HMAC) of "{path}" in a field of its own',
                subject=binding.name,
            )


def _is_needed(binding: Binding, path: str, are_hashed: bool) -> bool:
    """Whether the key is an id or a number, or the value by which alone the item can be found.

    A table of rows that only leads from a value to a record may have the value in its key, unless the project hashes
    others.
    """
    is_trace = is_network_address(binding, path) and is_expiring(binding)
    is_lookup = hasattr(binding.spec, "partition") and not are_hashed and is_pointer(binding, path)
    return is_pseudonym(binding, path) or is_number_of_thing(binding, path) or is_trace or is_lookup
