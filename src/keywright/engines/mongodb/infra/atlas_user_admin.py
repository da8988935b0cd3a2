"""INF511: a database user of Atlas may read or change every database."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.resource import ProgramResource

USER = "mongodbatlas:index/databaseUser:DatabaseUser"

BROAD = {
    "atlasAdmin": "administer the cluster and change every database",
    "readWriteAnyDatabase": "change every database",
    "dbAdminAnyDatabase": "drop collections and indexes of every database",
    "readAnyDatabase": "read every database",
}
"""Effects of the roles of all databases.
Source: https://www.mongodb.com/docs/atlas/mongodb-users-roles-and-privileges/, 2026-11-23."""


def resource(program_resource: ProgramResource, *, allow: tuple[str, ...] = ()) -> Iterator[FindingDraft]:
    """Report every user with such a role.

    allow: names of users that have it on purpose, such as that of the backup or of an administrator.
    """
    if program_resource.type != USER or (allow and program_resource.value("username") in allow):
        return
    for role in program_resource.value("roles") or ():
        if role.get("roleName") in BROAD and role.get("databaseName") == "admin":
            yield FindingDraft(
                problem=f"the role {role['roleName']} lets the user {BROAD[role['roleName']]}, also those of other "
                "applications",
                help='name the database: roles=[{"role_name": "readWrite", "database_name": "..."}]',
                subject=program_resource.urn,
            )
