"""What the stack that is judged says of its environment, by `keywright:environment`."""

import json
import os
from collections.abc import Mapping
from functools import cache

from keywright.engines.environment import Environment
from keywright.engines.registry import ENGINES
from keywright.errors import KeywrightError, gathering
from keywright.project.environment import KEY, told_environment


def environment() -> Mapping[str, Environment]:
    """Each engine's part by its name; nothing where the stack is none of keywright's, or says it wrongly, which its
    program tells.
    """
    return _environment(os.environ.get("PULUMI_CONFIG", "{}"))


@cache
def _environment(config: str) -> Mapping[str, Environment]:
    told = json.loads(config).get(KEY)
    if told is None:
        return {}
    try:
        with gathering():
            return told_environment(json.loads(told), "", ENGINES).engines
    except (KeywrightError, ValueError):
        return {}
