"""Executes the steps of a migration by a stack: a preview that the guard checks, then the update."""

import re
from collections.abc import Sequence

from keywright.engines.contract.plan import Statement
from keywright.engines.contract.resource import StackResource
from keywright.engines.interface import StatementFailed
from keywright.engines.registry import stack_tables
from keywright.errors import NeedsDecision
from keywright.ir.json import Json
from keywright.migrations.run.delegated import DelegatedSteps, StepExecutor

from . import preview
from .guard import evaluate
from .plain import POSITION
from .pulumi_cli import Child
from .pulumi_import import import_file


def executor(child: Child) -> StepExecutor:
    """Executor of steps through the stack of a child.

    A table is unprotected by an earlier update than the one that drops it, because Pulumi evaluates the flags of the
    state before. Without steps, the stack is updated to the live state if its own state differs.
    """

    def execute(delegated: DelegatedSteps) -> None:
        dropped = [
            statement.target for statement in delegated.statements if not statement.object and statement.wants is None
        ]
        if dropped:
            _update(child, delegated, "~".join((delegated.start, *dropped)), [f"~{name}" for name in dropped], ())
        if delegated.statements or _is_behind(child, delegated):
            operations = operations_of(delegated.statements)
            _update(child, delegated, delegated.end, operations, _created_tables(delegated.statements))

    return execute


def operations_of(statements: Sequence[Statement]) -> list[str]:
    """Operations that a preview may contain for these steps, in the guard's form, with physical table names."""
    created = _created_tables(statements)
    operations: list[str] = []
    for statement in statements:
        if statement.object[:1] == ("indexes",) and statement.target not in created:
            operations.append(f"{'-' if statement.wants is None else '+'}{statement.target}/{statement.object[1]}")
        elif statement.object == ("settings", "deletion_protection") and not statement.wants:
            operations.append(f"~{statement.target}")
        elif not statement.object and statement.wants is None:
            operations.append(f"-{statement.target}")
    return operations


def _created_tables(statements: Sequence[Statement]) -> list[str]:
    """Tables that these steps create."""
    return [statement.target for statement in statements if not statement.object and statement.wants is not None]


def _is_behind(child: Child, delegated: DelegatedSteps) -> bool:
    """Whether an update would change the stack's state."""
    while True:
        try:
            text = child.preview(delegated.end, delegated.check, is_refreshed=False)
        except StatementFailed as failure:
            protected = list(dict.fromkeys(_PROTECTED.findall(str(failure))))
            if not protected:
                raise
            child.unprotect(protected, delegated.check)
        else:
            return any(step.op != "same" for step in preview.steps(text))


_PROTECTED = re.compile(r"pulumi state unprotect '(urn:[^']*[:$]keywright:[^']+)'")
"""Pulumi's message when it refuses to remove a protected resource that a migration has dropped from a store. It is
limited to keywright's resources: removing these from the state calls no provider and drops nothing.
"""


def _update(
    child: Child, delegated: DelegatedSteps, position: str, allowed: Sequence[str], created: Sequence[str]
) -> None:
    """Update the stack to a position, if the update creates these tables and makes only allowed changes.

    An existing table that the stack lacks is imported first: a killed update created it, or it is older than the stack.
    """
    check = delegated.check
    text = child.preview(position, check)
    if unexpected := _unexpected_tables(text, created):
        child.import_resources(_imports(child, unexpected, delegated.start), check)
        text = child.preview(position, check)
    tables = _tables(text)
    problems = [f"{finding.code}: {finding.problem}" for finding in evaluate(text, logical(allowed, tables))]
    problems += [f'table "{name}" is created, but it already exists' for name, _ in _unexpected_tables(text, created)]
    if problems:
        more = f" (and {len(problems) - 3} more)" if len(problems) > 3 else ""
        raise NeedsDecision(
            f'the update of the stack "{child.stack}" would do more than this step: {"; ".join(problems[:3])}{more}',
            "nothing was changed; align the program and the stack with the migrations, and run the same command again",
        )
    child.up(position, check)


PreviewTables = Sequence[tuple[str, preview.PreviewStep]]
"""(physical name, step) of keywright's tables in a preview; tables in several regions can share a physical name."""


def _tables(text: str) -> PreviewTables:
    marks = tuple(f"{tables.component[0]}${type}::" for type, tables in stack_tables().items())
    preview_steps = (step for step in preview.steps(text) if any(mark in step.urn for mark in marks))
    return [(str((step.new_inputs or step.old_inputs).get("name")), step) for step in preview_steps]


def _unexpected_tables(text: str, created: Sequence[str]) -> PreviewTables:
    """Tables that a preview creates, but no step does."""
    return [(name, step) for name, step in _tables(text) if step.op == "create" and name not in created]


def _imports(child: Child, tables: PreviewTables, start: str) -> Json:
    """Tables in the form of `pulumi import --file`, with their provider in the preview."""
    versions: dict[str, str] = {}
    for name, step in tables:
        if "::pulumi:providers:" in str(step.new.get("provider")) and not _DEFAULT.search(str(step.new["provider"])):
            raise NeedsDecision(
                f'table "{name}", which the program names "{step.name}" and gives its own provider, is not in the '
                f'stack "{child.stack}"',
                f"create it with `{POSITION}={start} pulumi up --stack {child.stack}`, or import it with "
                f"`pulumi import {step.type}` and that provider; then run the same command again",
            )
        if not str(step.new.get("parent")).endswith("::" + "::".join(stack_tables()[step.type].component)):
            raise NeedsDecision(
                f'table "{name}" exists, and is not in the stack "{child.stack}"',
                f"import it under its name in your program, with `pulumi import {step.type}`",
            )
        if match := _VERSION.search(str(step.new.get("provider"))):
            versions[step.type.partition(":")[0]] = ".".join(match.groups())
    return import_file([StackResource(step.type, step.name, name, {}) for name, step in tables], versions)


_DEFAULT = re.compile(r"::default[_:]")
"""URN of a default provider, which has the region of the stack."""

_VERSION = re.compile(r"::default_(\d+)_(\d+)_(\d+)::")


def logical(allowed: Sequence[str], tables: PreviewTables) -> list[str]:
    """Allowed operations with the program's names of tables instead of the physical names.

    Tables in several regions can share a physical name, and all follow the position: an operation that is allowed for
    one of them is allowed for each that the preview changes.
    """
    operations: list[str] = []
    for operation in allowed:
        table, slash, index = operation[1:].partition("/")
        steps = [step for name, step in tables if name == table]
        changed = [step for step in steps if step.op != "same"] or steps
        names = dict.fromkeys(step.name for step in changed) or (table,)
        operations += (f"{operation[0]}{name}{slash}{index}" for name in names)
    return operations
