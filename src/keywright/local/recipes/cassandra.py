"""The recipe for Cassandra: one node on loopback, tuned to start in seconds and to forget everything."""

from functools import partial
from pathlib import Path

from keywright.local import maven
from keywright.local.java import Versions
from keywright.local.maven import Jars
from keywright.local.platforms import rows
from keywright.local.recipe import Driver, Found, Recipe

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
    java=Versions(17, 17),
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
    "cassandra.memtable.row_overhead_size": "200",  # else it is measured, for seconds, at every start
    "cassandra.unsafesystem": "true",
    "cassandra.skip_sync": "true",  # no fsync: a CREATE TABLE takes a third of the time
}


def _command(found: Found, data: Path, port: int) -> tuple[str, ...]:
    """Three ports in a row: CQL, internode, and JMX over HTTP (Jolokia)."""
    settings = _template("cassandra.yaml").replace("@PORT@", str(port)).replace("@STORAGE_PORT@", str(port + 1))
    (data / "cassandra.yaml").write_text(settings, encoding="utf-8")
    (data / "logback.xml").write_text(_template("logback.xml"), encoding="utf-8")
    return (
        *(str(found.java), "-Xms96m", "-Xmx320m", "-Xss512k", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
        *(part for module in EXPORTS for part in ("--add-exports", f"{module}=ALL-UNNAMED")),
        *(part for module in OPENS for part in ("--add-opens", f"{module}=ALL-UNNAMED")),
        *(f"-javaagent:{jar}" for jar in found.location.glob("jamm-*.jar")),
        *(
            f"-javaagent:{jar}=host=127.0.0.1,port={port + 2}"
            for jar in found.location.glob("jolokia-agent-jvm-*-javaagent.jar")
        ),
        f"-Dcassandra.config={(data / 'cassandra.yaml').as_uri()}",
        f"-Dcassandra.storagedir={data}",
        f"-Djava.io.tmpdir={data}",  # a killed server can't remove the libraries that it unpacked
        f"-Dlogback.configurationFile={(data / 'logback.xml').as_uri()}",
        *(f"-D{name}={value}" for name, value in PROPERTIES.items()),
        *("-cp", f"{found.location}/*", "org.apache.cassandra.service.CassandraDaemon"),
    )


def _template(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def _url(port: int) -> str:
    return f"cassandra://cassandra:cassandra@127.0.0.1:{port}"


def _driver() -> Driver:
    from keywright.drivers import cassandra

    return cassandra


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
    stop_seconds=0,  # draining takes seconds, and the data is thrown away
    ready_seconds=120,
)
