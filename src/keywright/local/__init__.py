"""Real servers on loopback, one per engine: found or fetched, started and stopped, but never built."""

from keywright.local.environment import required_engines
from keywright.local.event import Phase, ServerEvent, Tell
from keywright.local.instance import Running, WantedServer, folder_of
from keywright.local.recipes.table import RECIPES, PlatformRow, recipes_table, with_recipes
from keywright.local.server_program import FoundServer, UnavailableServer
from keywright.local.servers import down, log_path, running, status, up

__all__ = [
    "RECIPES",
    "FoundServer",
    "Phase",
    "PlatformRow",
    "Running",
    "ServerEvent",
    "Tell",
    "UnavailableServer",
    "WantedServer",
    "down",
    "folder_of",
    "log_path",
    "recipes_table",
    "required_engines",
    "running",
    "status",
    "up",
    "with_recipes",
]
