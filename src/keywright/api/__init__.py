"""The use cases of keywright; this module exports loading, compiling and planning.

Names are imported on first use, so that commands without models do not import Pydantic.
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
    """Return a name of `keywright.compiler`."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("keywright.compiler"), name)
