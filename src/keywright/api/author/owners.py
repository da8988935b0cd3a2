"""Owners of objects, as the models declare them: the teams that must review a change."""

from keywright.compiler import Compiled
from keywright.migrations.snapshot import key_of


def owners_of(compiled: Compiled) -> dict[tuple[str, str], str]:
    """Teams by store and object: whole targets, their entities, and the tables or collections of the entities."""
    design, teams = compiled.project.design, dict[tuple[str, str], str]()
    for target in compiled.targets:
        key = key_of(target.engine, target.declared)
        for physical in design.physicals:
            team = physical.spec.owner
            if team and (physical.name, physical.engine) == (target.declared.name, target.engine.name):
                teams[target.store, key] = team
        for binding in design.bindings:
            team = binding.spec.owner
            if team and (binding.physical.name, binding.engine) == (target.declared.name, target.engine.name):
                teams[target.store, f"{key}/{binding.name}"] = team
                if table := getattr(binding.spec, "name", None):
                    teams[target.store, f"{key}/{table}"] = team
    return teams
