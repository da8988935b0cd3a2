"""What models declared in a test are for DynamoDB, without a project around them."""

import inspect
from types import ModuleType
from typing import Any

from keywright.engines.dynamodb.engine import ENGINE
from keywright.engines.dynamodb.schema.target import TableTarget
from keywright.engines.interface import Rejection
from keywright.frontend.lower import lower
from keywright.ir.design import Design


def a_design(**declared: Any) -> Design:
    """The design of a model file with these names; called from the file that made the declarations."""
    frame = inspect.currentframe()
    while frame is not None and frame.f_code.co_filename == __file__:
        frame = frame.f_back
    assert frame is not None
    module = ModuleType(frame.f_globals["__name__"])
    module.__file__ = frame.f_code.co_filename
    vars(module).update(declared)
    return lower([module])


def a_table(**declared: Any) -> TableTarget:
    """The only table of such a design."""
    (table,) = ENGINE.lower(a_design(**declared))
    return table


def refusals(**declared: Any) -> list[Rejection]:
    """What is not legal in such a design."""
    return list(ENGINE.check(a_design(**declared)))
