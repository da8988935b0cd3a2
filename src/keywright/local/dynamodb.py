"""The recipe for DynamoDB: Amazon's DynamoDB Local, which keeps everything in memory."""

from dataclasses import replace
from pathlib import Path

from keywright.local import maven
from keywright.local.cache import Fetching
from keywright.local.java import Versions
from keywright.local.maven import Jars
from keywright.local.platforms import rows
from keywright.local.recipe import Driver, Found, Missing, Recipe

LICENCE = (
    "DynamoDB Local comes under Amazon's own licence: it may be used by holders of an AWS account in good standing, "
    "to develop and test for DynamoDB, and must not be passed on."
)

JARS = Jars(
    name="dynamodb-3.3.1",
    pom="dynamodb.pom.xml",
    main_jar="DynamoDBLocal-*.jar",
    sha256=(("DynamoDBLocal-3.3.1.jar", "41a32e0a840a1fa375d7b3955e60d4b1db94c423ef9e14a43ee9b4cf9c2fb536"),),
    variable="KEYWRIGHT_DYNAMODB_LIB",
    java=Versions(17),
    megabytes=50,
)


def _locate(cache: Path) -> Found | Missing:
    return _versioned(maven.locate(JARS, cache))


def _fetch(fetching: Fetching) -> Found | Missing:
    return _versioned(maven.fetch(JARS, fetching, LICENCE))


def _versioned(found: Found | Missing) -> Found | Missing:
    """The same, with the version of the jar's file name: the server does not tell its own."""
    if isinstance(found, Missing):
        return found
    jar = min(found.location.glob(JARS.main_jar))
    return replace(found, version=jar.stem.partition("-")[2])


def _command(found: Found, data: Path, port: int) -> tuple[str, ...]:
    return (
        *(str(found.java), "-Xms32m", "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
        *("-cp", f"{found.location}/*", "software.amazon.dynamodb.services.local.main.ServerRunner"),
        *("-inMemory", "-disableTelemetry", "-port", str(port)),
    )


def _url(port: int) -> str:
    return f"http://127.0.0.1:{port}"


def _driver() -> Driver:
    from keywright.drivers import dynamodb

    return dynamodb


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
)
