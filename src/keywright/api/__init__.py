"""The whole flow: load a project, check it, compile it, apply it, inspect it; the only place that wires the parts."""

from .live import Applied, Inspected, apply_local, inspect_local, local_instances
from .project import Compiled, Placed, Project, compile, load, try_compile, try_load

__all__ = [
    "Applied",
    "Compiled",
    "Inspected",
    "Placed",
    "Project",
    "apply_local",
    "compile",
    "inspect_local",
    "load",
    "local_instances",
    "try_compile",
    "try_load",
]
