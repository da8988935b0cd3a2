"""Indexes over the table's own key, and attributes with names that Python does not allow, on a real DynamoDB Local."""

from pathlib import Path

import pytest
from tests.live.conftest import Start
from tests.projects import a_project, imported_alone, with_imports

from keywright import api
from keywright.api.live.local_servers import instance_of
from keywright.api.prove.prove import prove_on
from keywright.api.prove.scratch import Server

pytestmark = pytest.mark.live

ID = 'Annotated[str, Field(pattern="^[a-z0-9]{1,8}$"), kw.Cardinality(distinct=6)]'

INVERTED = f"""
inverted = kw.Gsi("inverted", pk="sk", sk="pk")
data = kw.Gsi("data", pk="sk", sk="data")
by_type = kw.Gsi("by_type", pk="entity_type", sk="created_at")
teams = kw.DynamoTable("teams", gsis=[inverted, data, by_type])

Id = {ID}


class Membership(BaseModel):
    __store__: ClassVar = kw.Item(
        teams,
        pk="USER#{{user_id}}",
        sk="GROUP#{{group_id}}",
        gsis=[data.key(sk="ROLE#{{role}}#{{user_id}}", where={{"is_active": True}})],
    )

    user_id: Id
    group_id: Id
    role: Literal["admin", "guest"]
    is_active: bool
    created_at: AwareDatetime


class Group(BaseModel):
    __store__: ClassVar = kw.Item(teams, pk="GROUP#{{group_id}}", sk="INFO", gsis=[data.key(sk="NAME#{{name}}")])

    group_id: Id
    name: Annotated[str, Field(max_length=10)] | None = None
    created_at: AwareDatetime


groups_of_user = kw.Read(Membership, eq="user_id", limit=50)
users_of_group = kw.Read(Membership, eq="group_id", limit=50)
admins = kw.Read(Membership, eq=["group_id", "role"], where={{"is_active": True}}, limit=50)
members = kw.Count(Membership, eq="group_id")
newest_groups = kw.Read(Group, order="-created_at", limit=50)
groups_of_name = kw.Read(Group, eq="name", where={{"name": kw.Present()}}, limit=5)
put_member = kw.Put(Membership)
rename = kw.Update(Group, sets="name")
forget_name = kw.Update(Group, unset="name")
change_role = kw.Update(Membership, sets=["role", "is_active"])
join_group = kw.Transact([kw.Put(Membership), kw.Update(Group, sets="name")])
leave = kw.Delete(Membership)
"""
"""The key of the table turned round, used in part, and an index by discriminator."""

NAMES = f"""
escalated = kw.Gsi("escalated", pk="team", sk="Status#Day")
tickets = kw.DynamoTable("tickets", pk="ticket", sk="Status#Day", discriminator=None, gsis=[escalated])


class Ticket(BaseModel):
    __store__: ClassVar = kw.Item(
        tickets,
        sk="{{status}}#{{day:date}}",
        computed={{"Status#Day": "{{status}}#{{day:date}}", "it's": "{{ticket:upper}}", "class": "{{day:month}}"}},
    )

    ticket: {ID}
    day: date
    status: Literal["open", "closed"]
    team: {ID} | None = None
    seen: int = 0


of_ticket = kw.Read(Ticket, eq=["ticket", "status"], order="-day", limit=50)
of_team = kw.Read(Ticket, eq="team", where={{"team": kw.Present()}}, limit=50)
put_ticket = kw.Put(Ticket, if_absent=True)
hand_over = kw.Update(Ticket, sets="team")
see = kw.Increment(Ticket, "seen")
drop = kw.Delete(Ticket)
"""
"""Key attributes as other programs call them."""


@pytest.mark.parametrize("source", [INVERTED, NAMES], ids=["inverted", "names"])
def test_every_pattern_is_served_and_proved(source: str, start: Start, tmp_path: Path) -> None:
    running = start("dynamodb", "dynamodb")
    with imported_alone(tmp_path):
        a_project(tmp_path, {"models/case.py": with_imports(source)})
        project = api.load(str(tmp_path))
        compiled = api.compile(project)
        instance = instance_of(compiled.targets[0])
        results = prove_on(project, compiled, [Server(instance, running.url, running.version)], scale=60)
    assert len(results) == len(project.design.patterns)
    problems = {
        result.row.pattern.name: result.proof.problems if result.proof else ["not served"] for result in results
    }
    assert not any(problems.values()), problems
