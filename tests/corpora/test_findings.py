"""What the rules say of public designs, each finding reviewed; of all others nothing. docs/rules.md counts them."""

from pathlib import Path

import pytest
from tests.corpora import cql, electrodb, killrvideo, mcp, workbench
from tests.corpora.modelfile import NEEDED, table
from tests.corpora.seed_forms import FORMS
from tests.projects import findings_of

ELSEWHERE = {"CAS001", "GEN002", "GEN004"}
"""Codes of patterns that are not served, whose verdicts are in the tables, and of rates, which no design declares."""

TRACES = {("CAS033", f"Traces.{name}") for name in ("logs", "process", "refs", "tags")}
"""Collections of Jaeger, written once with their span."""

REVIEWED: dict[str, set[tuple[str, str]]] = {
    "electrodb composite-projection": {("GEN037", "Thing.email")},
    "mcp deals_app": {("GEN037", "User.email")},
    "mcp elearning_platform": {("GEN037", "TenantOrganization.admin_email"), ("GEN037", "TenantUser.email")},
    # The authors scan the table.
    "mcp gaming_leaderboard": {("DDB002", "list_games")},
    "mcp saas_app": {
        # The name of a project is in two entities, and no pattern changes both.
        ("GEN007", "OrganizationProject.project_name"),
        ("GEN037", "Organization.billing_email"),
        ("GEN037", "OrganizationInvite.email"),
        ("GEN037", "OrganizationMember.email"),
    },
    "mcp user_analytics": {("GEN037", "User.email")},
    # Debatable: its key has the time, so that a repeated request writes the same receipt.
    "workbench RecurringPayments": {
        ("GEN030", "Create_new_receipt"),
        *(("GEN037", f"{name}.Email") for name in ("Subscription", "Receipt")),
    },
    # The index keeps the order of session ids; the newest session is found among all.
    "workbench SessionManagement": {("DDB015", "last_login")},
    # The documented patterns leave it out.
    "workbench SocialNetwork": {("GEN001", "Counts")},
    "killrvideo v3": {
        # Debatable: tags of a video are few, and no pattern adds one.
        ("CAS033", "Videos.tags"),
        # Debatable: the schema does not tell whether the text is a hash.
        ("GEN036", "UserCredentials.password"),
        ("GEN037", "UserCredentials.email"),
        ("GEN037", "Users.email"),
    },
    "killrvideo v4": {
        ("CAS033", "Videos.tags"),  # a pattern adds tags
        ("CAS035", "Users.email"),
        ("GEN012", "Videos"),
        ("GEN012", "search_videos"),
        ("GEN036", "UserCredentials.password"),  # its examples store plain passwords
        ("GEN037", "UserCredentials.email"),
        ("GEN037", "Users.email"),
    },
    # Debatable: collections of Temporal have limits in its settings, and those of a span are written once.
    "temporal": {
        *(
            ("CAS033", f"Executions.{name}")
            for name in (
                "activity_map",
                "buffered_events_list",
                "chasm_node_map",
                "child_executions_map",
                "request_cancel_map",
                "signal_map",
                "signal_requested",
                "timer_map",
            )
        ),
        ("CAS033", "QueueMetadata.cluster_ack_level"),
        # Temporal itself writes it only if it is absent.
        ("CAS041", "put_namespaces"),
    },
    "jaeger 1": {*TRACES, ("CAS033", "Dependencies.dependencies")},
    **{f"jaeger {number}": {*TRACES, ("CAS033", "DependenciesV2.dependencies")} for number in (2, 3, 4)},
    "zipkin": {
        # Hints expire with gc_grace, an hour, and nodes keep them for three.
        *(
            ("CAS011", name)
            for name in (
                "AutocompleteTags",
                "Dependency",
                "RemoteServiceByService",
                "Span",
                "SpanByService",
                "TraceByServiceRemoteService",
                "TraceByServiceSpan",
            )
        ),
        ("CAS033", "Span.annotations"),
        ("CAS033", "Span.tags"),
    },
    "manual 2i__cyclist_alt_stats": {("GEN037", "CyclistAltStats.birthday")},
    "manual cyclist_base-table": {("GEN037", "CyclistBase.birthday")},
    # Two cyclists with the same points, or of the same name and age, have one row.
    "manual cyclist_category-table": {("CAS041", "put_cyclistcategory")},
    # Their names are the partition key, too.
    "manual cyclist_id-table": {
        ("CAS041", "put_cyclistid"),
        ("GEN037", "CyclistId.firstname"),
        ("GEN037", "CyclistId.lastname"),
    },
    # Amounts of money in floats.
    "manual cyclist_expenses-table": {("GEN107", "CyclistExpenses.amount"), ("GEN107", "CyclistExpenses.balance")},
    # Debatable: the manual shows collections of a few elements.
    "manual cyclist_emails-table": {("CAS033", "CyclistEmails.emails"), ("GEN037", "CyclistEmails.emails")},
    "manual list": {("CAS033", "Plays.scores")},
    "manual map": {("CAS033", "Users.favs")},
    "manual sai__birthday_list_map_entries-table": {("CAS033", "BirthdayList.blist")},
    "manual sai__cyclist_career_teams-table": {("CAS033", "CyclistCareerTeams.teams")},
    "manual sai__cyclist_teams-table": {("CAS033", "CyclistTeams.teams")},
    "manual sai__race_starts-table": {("CAS033", "RaceStarts.rnumbers")},
    "manual set": {("CAS033", "Images.tags")},
    # Three statuses are three partitions; orders of a day are kept by day, and wanted by time.
    "seed a shop in one table": {("DDB010", "Order.GSI1"), ("DDB015", "orders_for_user_by_time")},
    # ORDER#id has no time; orders of today are under no key.
    "seed a lesson on keys": {
        ("DDB002", "orders_today"),
        ("DDB010", "Order.GSI1"),
        ("DDB015", "list_orders_by_time"),
        ("DDB015", "shipped_orders_by_time"),
        ("GEN037", "User.email"),
    },
    # The time of the last message is in the key, and changes with each.
    "seed messages and conversations": {("DDB022", "touch"), ("DDB022", "touch_knowing_it")},
    "seed rows in buckets": {("CAS013", "WideReading")},
}
"""(code, what it is about) by design."""

DESIGNS = {
    **{f"mcp {name}": lambda name=name: mcp.design(name, dated=True) for name in table("mcp")},
    **{f"workbench {name}": lambda name=name: workbench.design(name) for name in table("workbench")},
    **{f"killrvideo {name}": lambda name=name: killrvideo.design(name) for name in table("killrvideo")},
    **{
        f"electrodb {file.stem}": lambda name=file.stem: electrodb.design(electrodb.read(name))
        for file in sorted(electrodb.FOLDER.glob("*.json"))
    },
}


@pytest.mark.parametrize("name", DESIGNS)
@NEEDED
def test_a_public_design_raises_what_was_reviewed(name: str, tmp_path: Path) -> None:
    assert said(tmp_path, str(DESIGNS[name]())) == REVIEWED.get(name, set())


@NEEDED
def test_public_tables_of_cassandra_raise_what_was_reviewed(tmp_path: Path) -> None:
    result = {name: said(tmp_path / name, str(design)) for name, design in cql.designs()}
    assert len(result) == 35
    assert {name: findings for name, findings in result.items() if findings} == {
        name: findings for name, findings in REVIEWED.items() if name in cql.FILES
    }


@pytest.mark.parametrize("name", FORMS)
def test_a_design_of_the_guides_raises_what_was_reviewed(name: str, tmp_path: Path) -> None:
    assert said(tmp_path, str(FORMS[name])) == REVIEWED.get(f"seed {name}", set())


def said(folder: Path, source: str) -> set[tuple[str, str]]:
    """What the rules find."""
    return {(finding.code, finding.object) for finding in findings_of(folder, source) if finding.code not in ELSEWHERE}
