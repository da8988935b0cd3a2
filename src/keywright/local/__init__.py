"""Real servers on loopback: finds, fetches, starts and stops one per engine, and never builds one."""

from keywright.local.environment import required_engines
from keywright.local.event import Event, Phase, Tell
from keywright.local.instance import Instance, Running
from keywright.local.recipe import Found, Missing
from keywright.local.recipes import RECIPES, Row, recipes_table
from keywright.local.servers import down, log_path, running, status, up

__all__ = [
    "RECIPES",
    "Event",
    "Found",
    "Instance",
    "Missing",
    "Phase",
    "Row",
    "Running",
    "Tell",
    "down",
    "log_path",
    "recipes_table",
    "required_engines",
    "running",
    "status",
    "up",
]
