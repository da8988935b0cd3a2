"""GEN041: a token that is sent to a person never expires."""

import re
from collections.abc import Iterator
from itertools import chain

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.expiry import is_expiring
from keywright.engines.findings.pattern_facts import is_put_for_a_time
from keywright.engines.findings.personal import is_generated, key_fields

_PURPOSE = re.compile(
    r"(?:^|_)(?:reset|recover(?:y)?|confirm(?:ation)?|verif(?:y|ication)|activat(?:e|ion)|magic_link|otp|one_time|"
    r"invit(?:e|ation)|unlock)(?:$|_)"
)
_TOKEN = re.compile(r"(?:^|_)(?:token|otp|secret|nonce|passcode)(?:_?(?:hash|digest))?$")
_CODE = re.compile(r"(?:^|_)code(?:_?(?:hash|digest))?$")
_OF_CODES = re.compile(r"(?:^|_)(?:reset|verif(?:y|ication)|activat(?:e|ion)|invit(?:e|ation)|unlock)(?:$|_)")
_ONCE = re.compile(
    r"(?:^|_)(?:(?:pass_?word|pass_?code|pin|credentials?)_(?:reset|recovery)|magic_link|(?:e?_?mail|phone|login)_(?:verification|"
    r"confirmation)|(?:login|one_time|confirmation|verification|reset)_(?:code|link)|otp|captcha|nonce)(?:_(?:request|challenge))?$"
)
"""Names of entities that one mail or one login uses."""
_END = re.compile(r"(?:^|_)(?:expires?|expiry|valid_until|ends?)(?:_(?:at|on))?$")
_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Report entities named after such a purpose whose key is a token, and that have no expiry and no reason for it.

    GEN008 reports those of kind="token".
    """
    for binding in context.design.bindings:
        if is_expiring(binding) or binding.spec.keep_forever or binding.spec.kind in ("token", "session"):
            continue
        if is_put_for_a_time(context.design, binding):
            continue
        name = _WORD.sub("_", binding.entity.name).lower()
        if any(_END.search(attribute.name) for attribute in binding.entity.attributes):
            continue  # the application checks it
        keys = tuple(key_fields(binding))
        paths = (*keys, *(attribute.name for attribute in binding.entity.attributes))
        tokens = (path for path in paths if _TOKEN.search(path) and (_PURPOSE.search(name) or _PURPOSE.search(path)))
        codes = (path for path in keys if _CODE.search(path) and _OF_CODES.search(f"{name}_{path}"))
        once = (path for path in keys if _ONCE.search(name) and is_generated(binding, path))
        token = next(chain(tokens, codes, once), None)
        if token is not None:
            by_option = (
                "set ttl=timedelta(hours=1)" if hasattr(binding.spec, "ttl") else "mark a datetime with kw.Ttl()"
            )
            yield FindingDraft(
                problem=f'"{token}" looks like a token that is sent to a person, and it never expires: an old mail '
                "gives access years later",
                help=f'declare kind="token", and {by_option}',
                subject=binding.name,
            )
