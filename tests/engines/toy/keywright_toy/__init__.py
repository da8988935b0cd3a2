"""A whole engine in small files: boxes of items in one JSON file. A model for authors of engines.

The entry point `toy` of this package names `MODULES`; keywright finds everything else by it.
"""

from keywright.engines.registry import EngineModules

MODULES = EngineModules(
    engine=f"{__name__}.engine",
    facts=f"{__name__}.facts",
    driver=f"{__name__}.driver",
    runtime=f"{__name__}.runtime",
    local=f"{__name__}.local",
    rules=f"{__name__}.catalogue",
)
"""The modules of the engine."""
