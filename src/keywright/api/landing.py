"""How a stack lands the steps of a migration: a preview that the guard has judged, then the update."""

import re
from collections.abc import Callable, Mapping, Sequence

from keywright.engines.dynamodb.resources import TABLE
from keywright.engines.interface import StatementFailed
from keywright.engines.plan import Step
from keywright.engines.resource import Resource
from keywright.errors import NeedsDecision
from keywright.history.landing import Handover, Lander
from keywright.ir.json import Json

from . import preview
from .adoption import PARENTS, import_file
from .guard import judge
from .pulumi_child import Child


def lander(child: Child) -> Lander:
    """What lands steps of DynamoDB through the stack of a child.

    A table that is to go is unprotected by an update before that which drops it: the flags of the state before decide.
    Where there are no steps, the stack takes in what is there, if it remembers something else.
    """

    def land(asked: Handover) -> None:
        gone = [step.target for step in asked.steps if not step.object and step.wants is None]
        if gone:
            _bring(child, "~".join((asked.start, *gone)), [f"~{name}" for name in gone], (), asked.check)
        if asked.steps or _is_behind(child, asked):
            _bring(child, asked.end, lands(asked.steps), _made(asked.steps), asked.check)

    return land


def lands(steps: Sequence[Step]) -> list[str]:
    """What a preview may do for these steps, in the words of the guard, with the physical names of the tables."""
    made = _made(steps)
    found: list[str] = []
    for step in steps:
        if step.object[:1] == ("indexes",) and step.target not in made:
            found.append(f"{'-' if step.wants is None else '+'}{step.target}/{step.object[1]}")
        elif step.object == ("settings", "deletion_protection") and not step.wants:
            found.append(f"~{step.target}")
        elif not step.object and step.wants is None:
            found.append(f"-{step.target}")
    return found


def _made(steps: Sequence[Step]) -> list[str]:
    """The tables that come with these steps."""
    return [step.target for step in steps if not step.object and step.wants is not None]


def _is_behind(child: Child, asked: Handover) -> bool:
    """Whether an update would change anything that the stack remembers."""
    while True:
        try:
            text = child.preview(asked.end, asked.check, is_refreshed=False)
        except StatementFailed as failure:
            gone = list(dict.fromkeys(_PROTECTED.findall(str(failure))))
            if not gone:
                raise
            child.unprotect(gone, asked.check)
        else:
            return any(step.op != "same" for step in preview.steps(text))


_PROTECTED = re.compile(r"pulumi state unprotect '(urn:[^']*[:$]keywright:[^']+)'")
"""How Pulumi refuses to let go of what a version has dropped from a store. Of resources of ours, whose provider is not
even asked then: the stack forgets a protected one, and drops nothing.
"""


def _bring(child: Child, position: str, allowed: Sequence[str], made: Sequence[str], check: Callable[[], None]) -> None:
    """Update the stack to a position, if that does what is allowed, makes these tables, and nothing else.

    A table that is there already, and that the stack does not have, is taken in first: an update that was killed has
    made it, or it was there before the stack.
    """
    text = child.preview(position, check)
    if stray := _stray(text, made):
        child.take_in(_imports(child, stray), check)
        text = child.preview(position, check)
    names = {name: step.name for name, step in _tables(text).items()}
    problems = [f"{one.code}: {one.problem}" for one in judge(text, [_logical(one, names) for one in allowed])]
    problems += [f'table "{name}" is made, which is there already' for name in _stray(text, made)]
    if problems:
        more = f" (and {len(problems) - 3} more)" if len(problems) > 3 else ""
        raise NeedsDecision(
            f'the stack "{child.stack}" would do more, or something else, than this step: '
            f"{'; '.join(problems[:3])}{more}",
            "nothing was changed; put right what the program or the stack has that migrations do not, and run the same "
            "command again",
        )
    child.up(position, check)


def _tables(text: str) -> dict[str, preview.Step]:
    """What a preview does to tables of keywright's, by their physical names."""
    found = (step for step in preview.steps(text) if f"{PARENTS[TABLE][0]}${TABLE}::" in step.urn)
    return {str((step.new_inputs or step.old_inputs).get("name")): step for step in found}


def _stray(text: str, made: Sequence[str]) -> dict[str, preview.Step]:
    """The tables that a preview makes, and no step does."""
    return {name: step for name, step in _tables(text).items() if step.op == "create" and name not in made}


def _imports(child: Child, stray: Mapping[str, preview.Step]) -> Json:
    """Tables as what `pulumi import --file` takes, with the provider that the preview has for them."""
    versions: dict[str, str] = {}
    for name, step in stray.items():
        if not str(step.new.get("parent")).endswith("::" + "::".join(PARENTS[TABLE])):
            raise NeedsDecision(
                f'table "{name}" is there, and the stack "{child.stack}" does not have it',
                f"take it in under the name that your program gives it, by `pulumi import {TABLE}`",
            )
        if found := re.search(r"::default_(\d+)_(\d+)_(\d+)::", str(step.new.get("provider"))):
            versions["aws"] = ".".join(found.groups())
    return import_file([Resource(TABLE, step.name, name, {}) for name, step in stray.items()], versions)


def _logical(allowed: str, names: Mapping[str, str]) -> str:
    """With the name that the program gives a table, in place of the physical one."""
    table, slash, index = allowed[1:].partition("/")
    return f"{allowed[0]}{names.get(table, table)}{slash}{index}"
