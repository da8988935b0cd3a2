"""The recipe for Cassandra: one node on loopback, tuned for a fast start, without durable data."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from urllib.parse import unquote, urlsplit

from keywright.local import process
from keywright.local.fetch import maven
from keywright.local.fetch.java import JavaVersions
from keywright.local.fetch.maven import Jars
from keywright.local.fetch.platforms import rows
from keywright.local.recipes.recipe import Recipe, ServerProbe
from keywright.local.server_program import FoundServer

LICENCE = "Apache Cassandra and Jolokia come under the Apache License 2.0."

JARS = Jars(
    name="cassandra-5.0.9",
    pom="cassandra.pom.xml",
    main_jar="cassandra-all-*.jar",
    sha256=(
        ("cassandra-all-5.0.9.jar", "6a80e6fddde88817deec4839ae431e3a9c4eeb728560336890094c6f870fef5e"),
        ("jolokia-agent-jvm-2.6.0-javaagent.jar", "95c2c1230970ac0ad71b9cb556b8a55c4c6008e9ffd7745be7797f477120b6ae"),
    ),
    variable="KEYWRIGHT_CASSANDRA_LIB",
    java=JavaVersions(17, 17),
    megabytes=68,
)

EXPORTS = ("java.base/sun.nio.ch", "java.base/jdk.internal.ref", "java.base/jdk.internal.misc")
OPENS = ("java.base/java.io", "java.base/sun.nio.ch")
PROPERTIES = {
    "cassandra-foreground": "yes",
    "cassandra.skip_wait_for_gossip_to_settle": "0",
    "cassandra.ring_delay_ms": "0",
    "cassandra.superuser_setup_delay_ms": "0",
    "cassandra.shutdown_announce_in_ms": "0",
    "cassandra.memtable.row_overhead_size": "200",  # otherwise every start measures it for seconds
    "cassandra.unsafesystem": "true",
    "cassandra.skip_sync": "true",  # no fsync: a CREATE TABLE takes a third of the time
}


def _command(server: FoundServer, data: Path, port: int) -> tuple[str, ...]:
    """Three ports in a row: CQL, internode, and JMX over HTTP (Jolokia)."""
    settings = _template("cassandra.yaml").replace("@PORT@", str(port)).replace("@STORAGE_PORT@", str(port + 1))
    for name, text in (("cassandra.yaml", settings), ("logback.xml", _template("logback.xml"))):
        with open(data / name, "w", encoding="utf-8", opener=process.private) as file:
            file.write(text)
    return (
        *(str(server.java), "-Xms96m", "-Xmx640m", "-Xss512k", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
        *(part for module in EXPORTS for part in ("--add-exports", f"{module}=ALL-UNNAMED")),
        *(part for module in OPENS for part in ("--add-opens", f"{module}=ALL-UNNAMED")),
        *(f"-javaagent:{jar}" for jar in server.location.glob("jamm-*.jar")),
        *(
            f"-javaagent:{jar}=host=127.0.0.1,port={port + 2}"
            for jar in server.location.glob("jolokia-agent-jvm-*-javaagent.jar")
        ),
        f"-Dcassandra.config={(data / 'cassandra.yaml').as_uri()}",
        f"-Dcassandra.storagedir={data}",
        f"-Djava.io.tmpdir={data}",  # a killed server cannot remove the libraries that it unpacked
        f"-Dlogback.configurationFile={(data / 'logback.xml').as_uri()}",
        *(f"-D{name}={value}" for name, value in PROPERTIES.items()),
        *("-cp", f"{server.location}/*", "org.apache.cassandra.service.CassandraDaemon"),
    )


def _template(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def _url(port: int) -> str:
    return f"cassandra://cassandra:cassandra@127.0.0.1:{port}"


def _driver() -> ServerProbe:
    from keywright.drivers.cassandra import driver as cassandra

    return cassandra


def _exports(name: str, url: str) -> Iterator[tuple[str, str]]:
    """See `Recipe.exports`."""
    # cqlsh reads CQLSH_HOST and CQLSH_PORT; the driver reads none, and the others are common names.
    # Source: https://cassandra.apache.org/doc/5.0/cassandra/managing/tools/cqlsh.html, 2026-11-22.
    address = urlsplit(url)
    host, port = address.hostname or "127.0.0.1", str(address.port or 9042)
    yield "CASSANDRA_CONTACT_POINTS", host
    yield "CASSANDRA_PORT", port
    yield "CQLSH_HOST", host
    yield "CQLSH_PORT", port
    if address.username:
        yield "CASSANDRA_USERNAME", unquote(address.username)
        yield "CASSANDRA_PASSWORD", unquote(address.password or "")


RECIPE = Recipe(
    engine="cassandra",
    title="Cassandra",
    licence=LICENCE,
    locate=partial(maven.locate, JARS),
    fetch=partial(maven.fetch, JARS, licence=LICENCE),
    command=_command,
    url=_url,
    driver=_driver,
    container="docker run -d -p 127.0.0.1:9042:9042 cassandra:5.0",
    container_url="cassandra://cassandra:cassandra@127.0.0.1:9042",
    platforms=rows(maven.fetched(JARS)),
    ports=3,
    stop_seconds=0,  # draining takes seconds, and the data is discarded
    ready_seconds=120,
    exports=_exports,
)
