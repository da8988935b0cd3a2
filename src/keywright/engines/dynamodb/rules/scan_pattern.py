"""DDB002: a read tests no field for equality, so only a scan of the whole table can answer it."""

from collections.abc import Iterator
from fnmatch import fnmatchcase

from keywright.engines.dynamodb.findings.uses import unserved
from keywright.engines.dynamodb.schema.policy import DECLARED_SCAN, SCAN
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.program.iam import allowed
from keywright.engines.findings.program.resource import ProgramResource

_CHOOSING = "read", "count"

_POLICIES = (
    "aws:iam/policy:Policy", "aws:iam/rolePolicy:RolePolicy", "aws:iam/userPolicy:UserPolicy",
    "aws:iam/groupPolicy:GroupPolicy", "aws:dynamodb/resourcePolicy:ResourcePolicy",
)  # fmt: skip

_EVERY_ACTION = ("*", "dynamodb:*")


def models(context: RuleContext, *, allow_scan: tuple[str, ...] = ()) -> Iterator[FindingDraft]:
    """Patterns without an equality condition that no key serves.

    allow_scan: names of patterns that may remain unserved.
    """
    for use, _ in unserved(context):
        pattern = use.pattern
        is_equal = (
            pattern.eq or pattern.one_of or any(condition.test in ("equals", "one_of") for condition in pattern.where)
        )
        has_other_cause = pattern.joins or pattern.search or pattern.near or pattern.consistency != "eventual"
        if pattern.kind in _CHOOSING and not is_equal and not has_other_cause and pattern.name not in allow_scan:
            table = use.entity.table.name
            yield FindingDraft(
                problem=f'it names no field by equality, so that only a Scan of all of table "{table}" answers it',
                help="give it a partition key that it knows, such as a day in an index that is sharded; "
                "write scan=True if it may read the whole table, or say by unserved= why nothing serves it",
                subject=use.name,
                at=pattern.at,
            )


def resource(program_resource: ProgramResource) -> Iterator[FindingDraft]:
    """IAM policies that allow scans of a table; INF620 reports those that allow every action.

    The statements that `keywright.pulumi` makes for patterns with `scan=True` have a name of their own.
    """
    for statement in allowed(program_resource.value("policy")) if program_resource.type in _POLICIES else ():
        if statement.name.startswith(DECLARED_SCAN) and statement.actions == (SCAN.lower(),):
            continue
        actions = (
            action_pattern
            for action_pattern in statement.actions
            if action_pattern not in _EVERY_ACTION and fnmatchcase("dynamodb:scan", action_pattern)
        )
        if (action := next(actions, None)) is not None:
            yield FindingDraft(
                problem=f'it allows "{action}", so that {", ".join(statement.resources) or "the table"} may be scanned',
                help="name the calls of the patterns; `policy` of keywright.pulumi makes such a document",
                subject=program_resource.urn,
            )
