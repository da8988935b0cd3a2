"""The directives with which a rendered redis.conf protects a server, beside those that models and environments set.

They are part of the file only: no target contains them, so that a running server without them has no drift, and
`settings=` of a server replaces each of them. docs/decisions/0080-redis-files-and-users.md gives the reasons.
"""

from collections.abc import Iterator

from keywright.engines.capability import is_older
from keywright.engines.interface import Rejection

from ..declare.settings import RedisEnvironment, RedisTls
from .capabilities import DIRECTIVES, FLAVOURS, default, is_service
from .directive import canonical
from .target import ServerTarget
from .user_file import REPLICA

LAZY_FREEING = (
    "lazyfree-lazy-eviction", "lazyfree-lazy-expire", "lazyfree-lazy-server-del", "lazyfree-lazy-user-del",
    "lazyfree-lazy-user-flush", "replica-lazy-flush",
)  # fmt: skip
"""Directives that free memory in a second thread, so that a large key that goes does not stop all other clients.
Valkey has them on since 8.0. Source: https://github.com/valkey-io/valkey/blob/9.1/valkey.conf, 2026-11-28."""

HARDENED = {
    **dict.fromkeys(LAZY_FREEING, "yes"),
    "maxmemory-clients": "10%",
    "client-output-buffer-limit": "normal 256mb 64mb 60",
    "tcp-keepalive": "60",
    "acl-pubsub-default": "resetchannels",
}
"""Value by directive.

maxmemory-clients: a tenth of maxmemory for buffers of all clients together; the largest one is disconnected beyond it.
client-output-buffer-limit: a client that does not read its answers gets what a replica gets; the default has no limit.
tcp-keepalive: a dead peer is found within two minutes. `timeout` stays 0, because it would close idle connections of
pools. Sources: https://redis.io/docs/latest/develop/reference/clients/ and
https://redis.io/docs/latest/operate/oss_and_stack/management/security/acl/, 2026-11-28.
"""


def hardened(placed: ServerTarget, environment: RedisEnvironment) -> Iterator[tuple[str, str]]:
    """(directive, value) of each protection that a server's version has not by default and that nobody declares."""
    declared, version = dict(placed.settings), _version(environment)
    for name, text in HARDENED.items():
        directive = DIRECTIVES[name]
        since = directive.valkey if environment.flavour == "valkey" else directive.redis
        if name in declared or since is None or is_older(version, since):
            continue
        if canonical(directive, text) != default(directive, environment.flavour, version):
            yield name, text


def process(placed: ServerTarget, environment: RedisEnvironment) -> Iterator[tuple[str, str]]:
    """(directive, value) of a server's connections and logins."""
    yield "protected-mode", "yes"
    if environment.users is not None and environment.users.file is not None:
        yield "aclfile", environment.users.file
        if environment.of_server(placed.name).replicas:
            yield "masteruser", REPLICA
    if environment.tls is not None:
        yield from _tls(environment.tls, environment, placed.name)


def refused(server: ServerTarget, environment: RedisEnvironment) -> Iterator[Rejection]:
    """Rejections of connections that no server or service accepts."""
    tls, title = environment.tls, FLAVOURS[environment.flavour].title
    if tls is not None and is_service(environment.flavour):
        problem = f'"redis.tls" is set, and {title} has certificates of its own'
        help = "remove it, and set transit encryption in the program of the service"
        yield Rejection("E0402", problem, help, server.name, setting=("tls",))
    if environment.users is not None and server.users and is_older(_version(environment), "7.0"):
        problem = f'server "{server.name}" has users with rights on keys, which {title} {_version(environment)} lacks'
        help = "use version 7.0 or later, or remove users: and make the users by hand"
        yield Rejection("RED105", problem, help, server.name, setting=("users",))
    if tls is not None and not is_service(environment.flavour) and not 0 < tls.port < 65_536:
        problem = f'"redis.tls.port" is {tls.port}, {title} takes 1 to 65535'
        yield Rejection("E0402", problem, "correct the number, or remove it", server.name, setting=("tls", "port"))


def _version(environment: RedisEnvironment) -> str | None:
    return environment.version or FLAVOURS[environment.flavour].latest


def _tls(tls: RedisTls, environment: RedisEnvironment, name: str) -> Iterator[tuple[str, str]]:
    """The directives of TLS, which replaces the port without it; replicas and nodes of a cluster use it too."""
    yield "port", "0"
    yield "tls-port", str(tls.port)
    yield "tls-cert-file", tls.certificate
    yield "tls-key-file", tls.key
    yield "tls-ca-cert-file", tls.authority
    yield "tls-auth-clients", {"required": "yes", "optional": "optional", "unused": "no"}[tls.client_certificates]
    effective = environment.of_server(name)
    if effective.replicas:
        yield "tls-replication", "yes"
    if effective.cluster:
        yield "tls-cluster", "yes"
