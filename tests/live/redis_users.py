"""A store whose patterns are called by users, each with the rights of one pattern alone."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

from redis import Redis
from tests.engines.redis import patterned
from tests.engines.redis.planning import Plans
from tests.live.redis_store import Start, Store

from keywright.access.search import Planned
from keywright.engines.redis.migrate.create import set_user
from keywright.engines.redis.schema.target import ServerTarget
from keywright.engines.redis.schema.users import UserTarget
from keywright.engines.redis.users import users_of

PASSWORD = "word"


class UserStore(Store):
    """A store in which the client of each call logs in as the user of the pattern."""

    def prepared(self, planned: Planned[ServerTarget]) -> Callable[..., Any]:
        """See `Store.prepared`."""
        run = super().prepared(planned)
        (user,) = users_of([(f"only-{next(NUMBERS)}", planned)])
        with Redis.from_url(self.url, decode_responses=True) as admin:
            give(admin, planned.target, user)

        def call(client: Any, arguments: Any) -> Any:
            # A pool hands out the connection that came back last; `Redis` itself keeps this out of the evidence.
            Redis.execute_command(client, "AUTH", user.name, PASSWORD)  # type: ignore[no-untyped-call]
            return run(client, arguments)

        return call


NUMBERS = count(1)
"""Numbers of users, of which each plan has its own."""


def plans() -> Plans:
    """The patterns of a store."""
    return Plans(str(patterned.__file__), vars(patterned))


def logged_in(url: str, name: str) -> Redis:
    """A client of a user."""
    return Redis.from_url(url, username=name, password=PASSWORD)


def give(admin: Any, server: ServerTarget, user: UserTarget) -> None:
    """Make a user who can log in; the connections of databases other than 0 select them."""
    statement: Any = set_user(server, user, (None,)).native
    admin.execute_command(*statement["command"])
    admin.execute_command("ACL", "SETUSER", user.name, "on", f">{PASSWORD}", "+select")


@contextmanager
def opened(start: Start, number: int, product: str = "valkey") -> Iterator[UserStore]:
    """See `redis_store.opened`: with a user for each pattern, who is gone at the end."""
    server = start("redis", "patterns", product="" if product == "valkey" else product)
    store = UserStore(server.url, number, patterned, server.version)
    try:
        yield store
    finally:
        with Redis.from_url(server.url, decode_responses=True) as admin:
            for name in admin.acl_users():
                if name.startswith("only-"):
                    admin.acl_deluser(name)
        store.close()
