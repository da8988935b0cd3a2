"""Compiles models and an environment into placed targets and access plans; connects frontend, project and engines."""

from .plan import AccessPlan, plan_access
from .project import Compiled, Placed, Project, compile, load, localised, place_of, try_compile, try_load

__all__ = [
    "AccessPlan",
    "Compiled",
    "Placed",
    "Project",
    "compile",
    "load",
    "localised",
    "place_of",
    "plan_access",
    "try_compile",
    "try_load",
]
