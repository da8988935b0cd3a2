"""INF308: a DocumentDB cluster takes connections without TLS."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw
from keywright.engines.flaws.resource import Resource

GROUP = "aws:docdb/clusterParameterGroup:ClusterParameterGroup"


def resource(one: Resource) -> Iterator[Flaw]:
    """Every parameter group that turns TLS off; it is on by default."""
    if one.type == GROUP and any(
        row["name"] == "tls" and row["value"] == "disabled" for row in one.value("parameters") or ()
    ):
        yield Flaw(
            problem="the parameter tls is disabled: passwords and documents cross the network unencrypted",
            help="leave it out, and give clients the certificate of the region",
            subject=one.urn,
        )
