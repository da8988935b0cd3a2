"""What a preview of Pulumi would do that a policy, or the guard, objects to: the lines of a review."""

import json
from collections.abc import Iterator

from keywright.errors import UsageError
from keywright.report.review import Violation

from .guard import judge

_HELP = "write it with `PULUMI_ENABLE_STREAMING_JSON_PREVIEW=1 pulumi preview --json > FILE`"


def violations(preview: str) -> tuple[Violation, ...]:
    """The findings of policies in a preview, which only its streaming form holds, and those of the guard.

    The mandatory ones come first, each once; UsageError if the text is no preview.
    """
    found = [Violation(one.code, "mandatory", _name(one.urn), one.problem, one.urn) for one in judge(preview)]
    try:
        found += _of_policies(preview)
    except (AttributeError, KeyError, TypeError):
        raise UsageError("the preview has an event of a policy that cannot be read", _HELP) from None
    return tuple(sorted(dict.fromkeys(found), key=lambda one: not one.is_mandatory))


def _of_policies(preview: str) -> Iterator[Violation]:
    for line in preview.splitlines():
        if not line.startswith('{"'):
            continue
        try:
            event = json.loads(line).get("policyEvent")
        except ValueError:  # a document of several lines
            return
        if event:
            urn = event.get("resourceUrn") or ""
            name = f"{event['policyPackName']}/{event['policyName']}"
            message = " ".join(str(event["message"]).split())
            yield Violation(name, str(event["enforcementLevel"]), _name(urn), message, urn)


def _name(urn: str) -> str:
    return urn.split("::")[-1]
