"""What keywright asks of a Cassandra server; the only module that imports the DataStax driver."""

from urllib.parse import unquote, urlsplit

from keywright.drivers.extras import not_installed

try:
    from cassandra import DriverException
    from cassandra.auth import PlainTextAuthProvider
    from cassandra.cluster import EXEC_PROFILE_DEFAULT, Cluster, ExecutionProfile, NoHostAvailable, Session
    from cassandra.policies import WhiteListRoundRobinPolicy
except ImportError as error:
    raise not_installed("cassandra") from error

PORT = 9042
"""The native transport's port where the address names none."""


def client(url: str, *, timeout_seconds: int = 10) -> Session:
    """A session with the one node at `url` (`cassandra://user:password@host:port`).

    The caller ends it with `session.cluster.shutdown()`.
    """
    address = urlsplit(url)
    host = address.hostname or "127.0.0.1"
    login = PlainTextAuthProvider(unquote(address.username or ""), unquote(address.password or ""))
    profile = ExecutionProfile(load_balancing_policy=WhiteListRoundRobinPolicy([host]))
    cluster = Cluster(
        [host],
        port=address.port or PORT,
        protocol_version=5,
        auth_provider=login if address.username else None,
        execution_profiles={EXEC_PROFILE_DEFAULT: profile},
        connect_timeout=timeout_seconds,
        control_connection_timeout=timeout_seconds,
        schema_metadata_enabled=False,
        token_metadata_enabled=False,
    )
    try:
        return cluster.connect()
    except (NoHostAvailable, DriverException, OSError):
        cluster.shutdown()  # its threads would otherwise outlive the failure
        raise


def is_ready(url: str) -> bool:
    """Whether a login works: the port opens before the first role exists."""
    try:
        session = client(url, timeout_seconds=2)
    except (NoHostAvailable, DriverException, OSError):
        return False
    session.cluster.shutdown()
    return True


def version(url: str) -> str:
    """The node's release, such as `5.0.9`."""
    session = client(url)
    try:
        return str(session.execute("SELECT release_version FROM system.local").one().release_version)
    finally:
        session.cluster.shutdown()
