"""keywright's vocabulary: `import keywright as kw`, and completion after `kw.` lists every name."""

__version__ = "0.1.0"

TYPE_CHECKING = False  # type checkers read it as true; importing typing would cost more than answering --help

if TYPE_CHECKING:
    from keywright.api.public import check as check
    from keywright.api.public import compile as compile
    from keywright.api.public import diff as diff
    from keywright.api.public import patterns as patterns
    from keywright.declare.change import CutOver as CutOver
    from keywright.declare.change import Rebuild as Rebuild
    from keywright.declare.change import Split as Split
    from keywright.declare.change import Upgrade as Upgrade
    from keywright.declare.collation import Collation as Collation
    from keywright.declare.combined import ReadTogether as ReadTogether
    from keywright.declare.combined import TransactGet as TransactGet
    from keywright.declare.facts import Cardinality as Cardinality
    from keywright.declare.facts import CopiedFrom as CopiedFrom
    from keywright.declare.facts import Depth as Depth
    from keywright.declare.facts import Overflow as Overflow
    from keywright.declare.facts import Pii as Pii
    from keywright.declare.facts import Precision as Precision
    from keywright.declare.facts import Ref as Ref
    from keywright.declare.facts import RenamedFrom as RenamedFrom
    from keywright.declare.facts import Size as Size
    from keywright.declare.facts import Ttl as Ttl
    from keywright.declare.facts import Vector as Vector
    from keywright.declare.model import Model as Model
    from keywright.declare.predicates import Above as Above
    from keywright.declare.predicates import AtLeast as AtLeast
    from keywright.declare.predicates import AtMost as AtMost
    from keywright.declare.predicates import Below as Below
    from keywright.declare.predicates import Contains as Contains
    from keywright.declare.predicates import Length as Length
    from keywright.declare.predicates import Not as Not
    from keywright.declare.predicates import OneOf as OneOf
    from keywright.declare.predicates import Present as Present
    from keywright.declare.predicates import StartsWith as StartsWith
    from keywright.declare.reads import Aggregate as Aggregate
    from keywright.declare.reads import Avg as Avg
    from keywright.declare.reads import Count as Count
    from keywright.declare.reads import Distinct as Distinct
    from keywright.declare.reads import Get as Get
    from keywright.declare.reads import Join as Join
    from keywright.declare.reads import Rank as Rank
    from keywright.declare.reads import RankAround as RankAround
    from keywright.declare.reads import Read as Read
    from keywright.declare.reads import Sum as Sum
    from keywright.declare.store import Bound as Bound
    from keywright.declare.store import bind as bind
    from keywright.declare.stream import Consumer as Consumer
    from keywright.declare.stream import ConsumerGroup as ConsumerGroup
    from keywright.declare.stream import Stream as Stream
    from keywright.declare.suppression import ignore as ignore
    from keywright.declare.writes import Delete as Delete
    from keywright.declare.writes import Increment as Increment
    from keywright.declare.writes import Put as Put
    from keywright.declare.writes import Take as Take
    from keywright.declare.writes import Transact as Transact
    from keywright.declare.writes import Update as Update
    from keywright.engines.cassandra.declare.options import CqlTable as CqlTable
    from keywright.engines.cassandra.declare.options import CqlType as CqlType
    from keywright.engines.cassandra.declare.options import Keyspace as Keyspace
    from keywright.engines.cassandra.declare.storage import Caching as Caching
    from keywright.engines.cassandra.declare.storage import CqlIndex as CqlIndex
    from keywright.engines.cassandra.declare.storage import Leveled as Leveled
    from keywright.engines.cassandra.declare.storage import SizeTiered as SizeTiered
    from keywright.engines.cassandra.declare.storage import TimeWindow as TimeWindow
    from keywright.engines.cassandra.declare.storage import Unified as Unified
    from keywright.engines.cassandra.declare.storage import View as View
    from keywright.engines.dynamodb.declare.options import DynamoTable as DynamoTable
    from keywright.engines.dynamodb.declare.options import Gsi as Gsi
    from keywright.engines.dynamodb.declare.options import Item as Item
    from keywright.engines.dynamodb.declare.options import Lsi as Lsi
    from keywright.engines.mongodb.declare.filters import AllOf as AllOf
    from keywright.engines.mongodb.declare.filters import OfType as OfType
    from keywright.engines.mongodb.declare.indexes import GeoIndex as GeoIndex
    from keywright.engines.mongodb.declare.indexes import HashedIndex as HashedIndex
    from keywright.engines.mongodb.declare.indexes import Index as Index
    from keywright.engines.mongodb.declare.indexes import TextIndex as TextIndex
    from keywright.engines.mongodb.declare.indexes import WildcardIndex as WildcardIndex
    from keywright.engines.mongodb.declare.options import Collection as Collection
    from keywright.engines.mongodb.declare.options import CollectionView as CollectionView
    from keywright.engines.mongodb.declare.options import MongoDatabase as MongoDatabase
    from keywright.engines.mongodb.declare.options import ShardKey as ShardKey
    from keywright.engines.mongodb.declare.options import TimeSeries as TimeSeries
    from keywright.engines.redis.declare.options import RedisBitmap as RedisBitmap
    from keywright.engines.redis.declare.options import RedisCache as RedisCache
    from keywright.engines.redis.declare.options import RedisCounter as RedisCounter
    from keywright.engines.redis.declare.options import RedisGeo as RedisGeo
    from keywright.engines.redis.declare.options import RedisHash as RedisHash
    from keywright.engines.redis.declare.options import RedisHyperLogLog as RedisHyperLogLog
    from keywright.engines.redis.declare.options import RedisJson as RedisJson
    from keywright.engines.redis.declare.options import RedisList as RedisList
    from keywright.engines.redis.declare.options import RedisRateLimit as RedisRateLimit
    from keywright.engines.redis.declare.options import RedisSet as RedisSet
    from keywright.engines.redis.declare.options import RedisSortedSet as RedisSortedSet
    from keywright.engines.redis.declare.options import RedisStream as RedisStream
    from keywright.engines.redis.declare.options import RedisString as RedisString
    from keywright.engines.redis.declare.search import SearchField as SearchField
    from keywright.engines.redis.declare.search import SearchIndex as SearchIndex
    from keywright.engines.redis.declare.server import Aof as Aof
    from keywright.engines.redis.declare.server import Rdb as Rdb
    from keywright.engines.redis.declare.server import RedisServer as RedisServer
    from keywright.errors import DeclarationError as DeclarationError
else:
    # Names are loaded on first use: a file that declares only Redis does not load the other engines' names.
    _NAMES = {
        "declare.change": "CutOver Rebuild Split Upgrade",
        "declare.collation": "Collation",
        "declare.combined": "ReadTogether TransactGet",
        "declare.facts": "Cardinality CopiedFrom Depth Overflow Pii Precision Ref RenamedFrom Size Ttl Vector",
        "declare.suppression": "ignore",
        "declare.model": "Model",
        "declare.predicates": "Above AtLeast AtMost Below Contains Length Not OneOf Present StartsWith",
        "declare.reads": "Aggregate Avg Count Distinct Get Join Rank RankAround Read Sum",
        "declare.store": "Bound bind",
        "declare.stream": "Consumer ConsumerGroup Stream",
        "declare.writes": "Delete Increment Put Take Transact Update",
        "engines.cassandra.declare.options": "CqlTable CqlType Keyspace",
        "engines.cassandra.declare.storage": "Caching CqlIndex Leveled SizeTiered TimeWindow Unified View",
        "engines.dynamodb.declare.options": "DynamoTable Gsi Item Lsi",
        "engines.mongodb.declare.filters": "AllOf OfType",
        "engines.mongodb.declare.indexes": "GeoIndex HashedIndex Index TextIndex WildcardIndex",
        "engines.mongodb.declare.options": "Collection CollectionView MongoDatabase ShardKey TimeSeries",
        "engines.redis.declare.options": "RedisBitmap RedisCache RedisCounter RedisGeo RedisHash RedisHyperLogLog "
        "RedisJson RedisList RedisRateLimit RedisSet RedisSortedSet RedisStream RedisString",
        "engines.redis.declare.search": "SearchField SearchIndex",
        "engines.redis.declare.server": "Aof Rdb RedisServer",
        "errors": "DeclarationError",
    }
    _MODULES = {name: module for module, names in _NAMES.items() for name in names.split()}
    __all__ = ["__version__", *sorted(_MODULES)]
    _FUNCTIONS = ("check", "compile", "diff", "patterns")  # not in __all__: `compile` would hide the builtin
    _MODULES |= dict.fromkeys(_FUNCTIONS, "api.public")

    def __getattr__(name):
        """Load a name of the vocabulary on first use."""
        from importlib import import_module

        if name not in _MODULES:
            from keywright.errors import did_you_mean

            help = "" if name.startswith("_") else f"; {did_you_mean(name, _MODULES)}"
            raise AttributeError(f'keywright has no name "{name}"{help}')
        value = getattr(import_module(f"keywright.{_MODULES[name]}"), name)
        globals()[name] = value
        return value

    def __dir__():
        """The names and functions, for completion."""
        return sorted([*__all__, *_FUNCTIONS])
