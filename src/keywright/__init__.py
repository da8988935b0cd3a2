"""keywright's vocabulary: `import keywright as kw`, and completion after `kw.` shows every word there is."""

__version__ = "0.1.0"

TYPE_CHECKING = False  # type checkers read it as true; importing typing would cost more than answering --help

if TYPE_CHECKING:
    from .declare.change import CutOver as CutOver
    from .declare.change import Rebuild as Rebuild
    from .declare.change import Split as Split
    from .declare.change import Upgrade as Upgrade
    from .declare.facts import (
        Cardinality as Cardinality,
    )
    from .declare.facts import (
        CopiedFrom as CopiedFrom,
    )
    from .declare.facts import (
        Overflow as Overflow,
    )
    from .declare.facts import (
        Pii as Pii,
    )
    from .declare.facts import (
        Ref as Ref,
    )
    from .declare.facts import (
        RenamedFrom as RenamedFrom,
    )
    from .declare.facts import (
        Size as Size,
    )
    from .declare.facts import (
        Ttl as Ttl,
    )
    from .declare.judgement import ignore as ignore
    from .declare.model import Model as Model
    from .declare.predicates import AtLeast as AtLeast
    from .declare.predicates import Below as Below
    from .declare.predicates import Not as Not
    from .declare.predicates import OneOf as OneOf
    from .declare.predicates import Present as Present
    from .declare.reads import (
        Aggregate as Aggregate,
    )
    from .declare.reads import (
        Avg as Avg,
    )
    from .declare.reads import (
        Count as Count,
    )
    from .declare.reads import (
        Distinct as Distinct,
    )
    from .declare.reads import (
        Get as Get,
    )
    from .declare.reads import (
        Join as Join,
    )
    from .declare.reads import (
        Rank as Rank,
    )
    from .declare.reads import (
        Read as Read,
    )
    from .declare.reads import (
        Sum as Sum,
    )
    from .declare.store import Bound as Bound
    from .declare.store import bind as bind
    from .declare.stream import Consumer as Consumer
    from .declare.stream import ConsumerGroup as ConsumerGroup
    from .declare.stream import Stream as Stream
    from .declare.writes import (
        Delete as Delete,
    )
    from .declare.writes import (
        Increment as Increment,
    )
    from .declare.writes import (
        Put as Put,
    )
    from .declare.writes import (
        Take as Take,
    )
    from .declare.writes import (
        Transact as Transact,
    )
    from .declare.writes import (
        Update as Update,
    )
    from .engines.cassandra.options import CqlTable as CqlTable
    from .engines.cassandra.options import Keyspace as Keyspace
    from .engines.cassandra.storage import (
        Caching as Caching,
    )
    from .engines.cassandra.storage import (
        CqlIndex as CqlIndex,
    )
    from .engines.cassandra.storage import (
        Leveled as Leveled,
    )
    from .engines.cassandra.storage import (
        SizeTiered as SizeTiered,
    )
    from .engines.cassandra.storage import (
        TimeWindow as TimeWindow,
    )
    from .engines.cassandra.storage import (
        Unified as Unified,
    )
    from .engines.cassandra.storage import (
        View as View,
    )
    from .engines.dynamodb.options import DynamoTable as DynamoTable
    from .engines.dynamodb.options import Gsi as Gsi
    from .engines.dynamodb.options import Item as Item
    from .engines.dynamodb.options import Lsi as Lsi
    from .engines.mongodb.indexes import (
        Collation as Collation,
    )
    from .engines.mongodb.indexes import (
        GeoIndex as GeoIndex,
    )
    from .engines.mongodb.indexes import (
        HashedIndex as HashedIndex,
    )
    from .engines.mongodb.indexes import (
        Index as Index,
    )
    from .engines.mongodb.indexes import (
        TextIndex as TextIndex,
    )
    from .engines.mongodb.indexes import (
        WildcardIndex as WildcardIndex,
    )
    from .engines.mongodb.options import (
        Collection as Collection,
    )
    from .engines.mongodb.options import (
        MongoDatabase as MongoDatabase,
    )
    from .engines.mongodb.options import (
        ShardKey as ShardKey,
    )
    from .engines.mongodb.options import (
        TimeSeries as TimeSeries,
    )
    from .engines.redis.options import (
        RedisBitmap as RedisBitmap,
    )
    from .engines.redis.options import (
        RedisCache as RedisCache,
    )
    from .engines.redis.options import (
        RedisCounter as RedisCounter,
    )
    from .engines.redis.options import (
        RedisGeo as RedisGeo,
    )
    from .engines.redis.options import (
        RedisHash as RedisHash,
    )
    from .engines.redis.options import (
        RedisHyperLogLog as RedisHyperLogLog,
    )
    from .engines.redis.options import (
        RedisList as RedisList,
    )
    from .engines.redis.options import (
        RedisRateLimit as RedisRateLimit,
    )
    from .engines.redis.options import (
        RedisSet as RedisSet,
    )
    from .engines.redis.options import (
        RedisSortedSet as RedisSortedSet,
    )
    from .engines.redis.options import (
        RedisStream as RedisStream,
    )
    from .engines.redis.options import (
        RedisString as RedisString,
    )
    from .engines.redis.server import Aof as Aof
    from .engines.redis.server import Rdb as Rdb
    from .engines.redis.server import RedisServer as RedisServer
    from .errors import DeclarationError as DeclarationError
else:
    # Words are loaded when first used: a file that declares Redis only does not load the other engines' words.
    _WORDS = {
        "declare.change": "CutOver Rebuild Split Upgrade",
        "declare.facts": "Cardinality CopiedFrom Overflow Pii Ref RenamedFrom Size Ttl",
        "declare.judgement": "ignore",
        "declare.model": "Model",
        "declare.predicates": "AtLeast Below Not OneOf Present",
        "declare.reads": "Aggregate Avg Count Distinct Get Join Rank Read Sum",
        "declare.store": "Bound bind",
        "declare.stream": "Consumer ConsumerGroup Stream",
        "declare.writes": "Delete Increment Put Take Transact Update",
        "engines.cassandra.options": "CqlTable Keyspace",
        "engines.cassandra.storage": "Caching CqlIndex Leveled SizeTiered TimeWindow Unified View",
        "engines.dynamodb.options": "DynamoTable Gsi Item Lsi",
        "engines.mongodb.indexes": "Collation GeoIndex HashedIndex Index TextIndex WildcardIndex",
        "engines.mongodb.options": "Collection MongoDatabase ShardKey TimeSeries",
        "engines.redis.options": "RedisBitmap RedisCache RedisCounter RedisGeo RedisHash RedisHyperLogLog RedisList "
        "RedisRateLimit RedisSet RedisSortedSet RedisStream RedisString",
        "engines.redis.server": "Aof Rdb RedisServer",
        "errors": "DeclarationError",
    }
    _HOMES = {word: module for module, words in _WORDS.items() for word in words.split()}
    __all__ = ["__version__", *sorted(_HOMES)]

    def __getattr__(name):
        """Load a word of the vocabulary on first use."""
        from importlib import import_module

        if name not in _HOMES:
            from .errors import did_you_mean

            help = "" if name.startswith("_") else f"; {did_you_mean(name, _HOMES)}"
            raise AttributeError(f'keywright has no word "{name}"{help}')
        word = getattr(import_module(f"keywright.{_HOMES[name]}"), name)
        globals()[name] = word
        return word

    def __dir__():
        """The words, for completion."""
        return __all__
