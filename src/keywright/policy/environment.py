"""Reads the environment of the checked stack from `keywright:environment`."""

import json
import os
from collections.abc import Mapping
from functools import cache

from keywright.engines.environment import EngineEnvironment
from keywright.errors import KeywrightError, gathering


def environment() -> Mapping[str, EngineEnvironment]:
    """Each engine's environment by name; empty if the stack has no valid `keywright:environment`, which the stack's
    program reports.
    """
    return _environment(os.environ.get("PULUMI_CONFIG", "{}"))


@cache
def _environment(config: str) -> Mapping[str, EngineEnvironment]:
    value = json.loads(config).get("keywright:environment")
    if value is None:
        return {}
    from keywright.project.environments.environment import environment_of_data

    try:
        with gathering():
            return environment_of_data(json.loads(value), "").engines
    except (KeywrightError, ValueError):
        return {}
