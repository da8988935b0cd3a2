"""Who owns what, as the models say: the teams whose review a change needs."""

from keywright.compiler import Compiled
from keywright.history.snapshot import key_of


def owners_of(compiled: Compiled) -> dict[tuple[str, str], str]:
    """Teams by store and object: whole targets, the entities in them, and the tables or collections of those."""
    design, found = compiled.project.design, dict[tuple[str, str], str]()
    for one in compiled.targets:
        key = key_of(one.engine, one.declared)
        for physical in design.physicals:
            team = getattr(physical.spec, "owner", None)
            if team and (physical.name, physical.engine) == (one.declared.name, one.engine.name):
                found[one.store, key] = team
        for binding in design.bindings:
            team = getattr(binding.spec, "owner", None)
            if team and (binding.physical.name, binding.engine) == (one.declared.name, one.engine.name):
                found[one.store, f"{key}/{binding.name}"] = team
                if table := getattr(binding.spec, "name", None):
                    found[one.store, f"{key}/{table}"] = team
    return found
