"""DDB002: a read names no field by equality, so that only a scan of the whole table answers it; or a role may scan."""

from collections.abc import Iterator
from fnmatch import fnmatchcase

from keywright.engines.dynamodb.uses import unserved
from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.iam import allowed
from keywright.engines.flaws.resource import Resource

_CHOOSING = "read", "count"

_POLICIES = (
    "aws:iam/policy:Policy", "aws:iam/rolePolicy:RolePolicy", "aws:iam/userPolicy:UserPolicy",
    "aws:iam/groupPolicy:GroupPolicy", "aws:dynamodb/resourcePolicy:ResourcePolicy",
)  # fmt: skip


def models(whole: Whole, *, allow_scan: tuple[str, ...] = ()) -> Iterator[Flaw]:
    """Every such pattern that no key serves.

    allow_scan: names of patterns that may scan.
    """
    for use, _ in unserved(whole):
        pattern = use.pattern
        is_equal = pattern.eq or pattern.one_of or any(one.test in ("equals", "one_of") for one in pattern.where)
        is_more = pattern.joins or pattern.search or pattern.near or pattern.consistency != "eventual"
        if pattern.kind in _CHOOSING and not is_equal and not is_more and pattern.name not in allow_scan:
            table = use.entity.table.name
            yield Flaw(
                problem=f'it names no field by equality, so that only a Scan of all of table "{table}" answers it',
                help="give it a partition key that it knows, such as a day in an index that is sharded; "
                "or say why a scan is right, by unserved=",
                subject=use.name,
                at=pattern.at,
            )


def resource(one: Resource) -> Iterator[Flaw]:
    """Every policy of IAM that allows scans of some table; what is allowed of everything is somebody else's concern."""
    for statement in allowed(one.value("policy")) if one.type in _POLICIES else ():
        actions = (each for each in statement.actions if each != "*" and fnmatchcase("dynamodb:scan", each))
        if (action := next(actions, None)) is not None:
            yield Flaw(
                problem=f'it allows "{action}", so that {", ".join(statement.resources) or "the table"} may be scanned',
                help="name the calls of the patterns; `policy` of keywright.pulumi makes such a document",
                subject=one.urn,
            )
