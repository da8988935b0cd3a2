"""The whole flow: load a project, check it, compile it; `api.live` applies and inspects. Only this layer wires."""

from .project import Compiled, Placed, Project, compile, load, try_compile, try_load

__all__ = ["Compiled", "Placed", "Project", "compile", "load", "try_compile", "try_load"]
