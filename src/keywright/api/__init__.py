"""The whole flow: load, check, compile, plan; `api.live` applies and inspects, `api.prove` proves, `api.lint` judges.

Names are found when they are asked for, so that what needs no models does not wait for Pydantic.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from keywright.compiler import (
        AccessPlan,
        Compiled,
        Placed,
        Project,
        compile,
        load,
        plan_access,
        try_compile,
        try_load,
    )

__all__ = [
    "AccessPlan",
    "Compiled",
    "Placed",
    "Project",
    "compile",
    "load",
    "plan_access",
    "try_compile",
    "try_load",
]


def __getattr__(name: str) -> Any:
    """A name of `keywright.compiler`."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("keywright.compiler"), name)
