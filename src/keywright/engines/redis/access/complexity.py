"""What the vendor documents for each command.

Source: the page of each command below https://redis.io/docs/latest/commands/, 2026-11-21.
"""

COMPLEXITY = {
    "BITCOUNT": "O(N)", "DEL": "O(N)", "EXISTS": "O(N)", "EXPIRE": "O(1)", "EXPIREAT": "O(1)", "GEOADD": "O(log(N))",
    "GEOPOS": "O(1)", "GEOSEARCH": "O(N+log(M))", "GET": "O(1)", "GETBIT": "O(1)", "HDEL": "O(N)", "HGET": "O(1)",
    "HGETALL": "O(N)", "HINCRBY": "O(1)", "HINCRBYFLOAT": "O(1)", "HMGET": "O(N)", "HSET": "O(N)", "INCR": "O(1)",
    "INCRBY": "O(1)", "LLEN": "O(1)", "LPUSH": "O(1)", "LRANGE": "O(S+N)", "LREM": "O(N+M)", "LTRIM": "O(N)",
    "MGET": "O(N)", "PERSIST": "O(1)", "PFADD": "O(1)", "PFCOUNT": "O(1)", "RPOP": "O(N)", "SADD": "O(1)",
    "SCARD": "O(1)", "SET": "O(1)", "SETBIT": "O(1)", "SISMEMBER": "O(1)", "SMEMBERS": "O(N)", "SMISMEMBER": "O(N)",
    "SREM": "O(N)", "SSCAN": "O(1) for every call", "UNLINK": "O(1)", "XACK": "O(1)", "XADD": "O(1)",
    "XAUTOCLAIM": "O(1)", "XLEN": "O(1)", "XREADGROUP": "O(M)", "XREVRANGE": "O(N)", "ZADD": "O(log(N))",
    "ZCARD": "O(1)", "ZCOUNT": "O(log(N))", "ZINCRBY": "O(log(N))", "ZMSCORE": "O(N)", "ZRANGE": "O(log(N)+M)",
    "ZRANK": "O(log(N))", "ZREM": "O(M*log(N))", "ZREMRANGEBYRANK": "O(log(N)+M)", "ZREMRANGEBYSCORE": "O(log(N)+M)",
    "ZREVRANK": "O(log(N))", "ZSCORE": "O(1)",
}  # fmt: skip
"""The documented complexity, by command; what the letters mean stands on the page of the command."""


def complexity(commands: tuple[str, ...]) -> str:
    """What is documented for some commands: one by itself, several by name."""
    named = dict.fromkeys(commands)
    if len(named) == 1:
        return COMPLEXITY.get(commands[0], "")
    return ", ".join(f"{one} {COMPLEXITY[one]}" for one in named if one in COMPLEXITY)
