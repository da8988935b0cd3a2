"""The desired resources of the environment of a program's stack."""

import os
import time
from collections.abc import Mapping, Sequence

import pulumi
from pulumi.runtime.config import get_config_env, is_config_secret

from keywright.api.pulumi.plain import POSITION, Provided
from keywright.errors import DeclarationErrors, KeywrightError
from keywright.project.settings import Settings, read_settings

from . import fast_path


def stack_of(environment: str | None) -> Provided:
    """The desired resources of the environment."""
    own = "keywright:"
    configuration = {key.removeprefix(own): value for key, value in get_config_env().items() if key.startswith(own)}
    _reject_plain_passwords(configuration)
    _reject_unknown_keys(configuration)
    name = environment or pulumi.get_stack()
    # Only the environment that is being migrated has a position.
    position = os.environ.get(POSITION) if name == pulumi.get_stack() else None
    is_local = configuration.get("local") == "true"
    try:
        settings = read_settings(None)
        cached = None if position or is_local else fast_path.cached(settings, name)
        stack = cached or _provided(settings, name, position, is_local, configuration)
    except DeclarationErrors as errors:
        raise pulumi.RunError("\n".join(map(str, errors.exceptions))) from None
    except KeywrightError as error:
        raise pulumi.RunError(str(error)) from None
    _reject_unknown_keys(configuration, stack.stores)
    if stack.is_assumed and not pulumi.runtime.is_dry_run():
        problem = f'"{name}" has only an assumed "position" in its stack file, which is for previews'
        help = 'remove "position", and set the addresses of the stores in KEYWRIGHT_STORE_…'
        raise pulumi.RunError(f"{problem}\n  help: {help}")
    return stack


def _reject_plain_passwords(configuration: Mapping[str, str]) -> None:
    """Reject addresses with a password that are not secrets."""
    addresses = [key for key in configuration if key.endswith("Uri") and not is_config_secret(f"keywright:{key}")]
    if not addresses:
        return
    from keywright.api.live.addresses import has_password

    for key in addresses:
        if has_password(configuration[key]):
            command = f"pulumi config set --secret keywright:{key}"
            raise pulumi.RunError(f'"keywright:{key}" contains a password in plain text\n  help: `{command}`')


def _reject_unknown_keys(configuration: Mapping[str, str], stores: Sequence[str] = ()) -> None:
    """Reject keys that nothing reads, such as a misspelt address."""
    if not configuration.keys() - {"environment", "local"}:
        return
    from keywright.project.environments.configuration import unknown_keys

    for key, problem in unknown_keys(configuration, stores):
        raise pulumi.RunError(f"{problem}\n  help: `pulumi config rm keywright:{key}`, or correct its name")


def _provided(
    settings: Settings, name: str, position: str | None, is_local: bool, configuration: Mapping[str, str]
) -> Provided:
    """The desired resources, from the models and the position."""
    from keywright.api.live.connect import StoreSelector
    from keywright.api.stack.desired import stack_of
    from keywright.api.stack.provide import provided  # the compiler and Pydantic: not needed with a cached answer

    started = time.time_ns()
    stack = stack_of(StoreSelector(settings, name, is_local, configuration), position)
    resources = provided(stack)
    if stack.is_followed and not is_local:
        fast_path.store(settings, stack, resources, started)
    return resources
