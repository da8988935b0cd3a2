"""Servers that many tests use: each leaves them as it found them."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import redis

from keywright.drivers.cassandra import driver as cassandra
from keywright.drivers.mongodb import driver as mongodb


@contextmanager
def emptied(dynamodb: Any, addresses: Mapping[str, str]) -> Iterator[None]:
    """Within the block, servers that hold nothing; afterwards they hold nothing again."""
    caches = [redis.Redis.from_url(url) for name, url in addresses.items() if name.startswith("REDIS")]
    before: list[Any] = [cache.config_get("*") for cache in caches]
    yield
    for table in dynamodb.list_tables()["TableNames"]:
        dynamodb.update_table(TableName=table, DeletionProtectionEnabled=False)
        dynamodb.delete_table(TableName=table)
    for cache, settings in zip(caches, before, strict=True):
        cache.flushall()
        for name, value in cache.config_get("*").items():
            if settings.get(name) != value:
                cache.config_set(name, settings[name])
        cache.close()
    for name, connect in (("MONGODB", mongodb.connect), ("CASSANDRA", cassandra.connect)):
        if name in addresses:
            driver = connect(addresses[name])
            driver.drop(driver.names())
            driver.close()
