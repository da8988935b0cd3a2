"""Designs of models that a test declares, without a project around them."""

from types import ModuleType
from typing import Any

from keywright.engines.interface import Rejection
from keywright.engines.redis.engine import ENGINE
from keywright.engines.redis.schema.target import ServerTarget
from keywright.frontend.lower import lower
from keywright.ir.design import Design


def design_of(file: str, **declared: Any) -> Design:
    """What a model file with these names would declare.

    file: `__file__` of the test, where the declarations were made.
    """
    homes = {value.__module__ for value in declared.values() if isinstance(value, type)}
    module = ModuleType(homes.pop() if homes else "declared")
    module.__file__ = file
    vars(module).update(declared)
    return lower([module])


def server_of(file: str, **declared: Any) -> ServerTarget:
    """The only server of such a design."""
    (server,) = ENGINE.lower(design_of(file, **declared))
    return server


def refusals_of(file: str, **declared: Any) -> list[Rejection]:
    """What is not legal in such a design."""
    return list(ENGINE.check(design_of(file, **declared)))
