"""GEN041: a token that is sent to a person never expires."""

import re
from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.personal import is_expiring, key_fields

_PURPOSE = re.compile(
    r"(?:^|_)(?:reset|recover(?:y)?|confirm(?:ation)?|verif(?:y|ication)|activat(?:e|ion)|magic_link|otp|one_time|"
    r"invit(?:e|ation)|unlock)(?:$|_)"
)
_TOKEN = re.compile(r"(?:^|_)(?:token|otp|secret|nonce|passcode|code)(?:_?(?:hash|digest))?$")
_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Report entities named after such a purpose whose key is a token, and that have no expiry and no reason for it.

    GEN008 reports those of kind="token".
    """
    for binding in context.design.bindings:
        if is_expiring(binding) or binding.spec.keep_forever or binding.spec.kind in ("token", "session"):
            continue
        name = _WORD.sub("_", binding.entity.name).lower()
        token = next((path for path in key_fields(binding) if _TOKEN.search(path)), None)
        if token is not None and (_PURPOSE.search(name) or _PURPOSE.search(token)):
            by_option = (
                "set ttl=timedelta(hours=1)" if hasattr(binding.spec, "ttl") else "mark a datetime with kw.Ttl()"
            )
            yield FindingDraft(
                problem=f'"{token}" looks like a token that is sent to a person, and it never expires: an old mail '
                "gives access years later",
                help=f'declare kind="token", and {by_option}',
                subject=binding.name,
            )
