"""Models and an environment into placed targets and access plans: wires frontend, project, engines and access."""

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
