"""The whole flow: load, check, compile, plan; `api.live` applies and inspects, `api.prove` proves."""

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
