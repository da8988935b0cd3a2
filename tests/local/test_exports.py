"""Variables by which clients of a shell find local servers."""

from keywright.local import Running, WantedServer
from keywright.local.instance import exports


def a_server(engine: str, url: str, name: str = "") -> Running:
    return Running(WantedServer(engine, name or engine), None, None, url, "", "")


def test_every_engine_has_its_variables() -> None:
    servers = [
        a_server("redis", "redis://127.0.0.1:4/0", "shop-events"), a_server("redis", "redis://127.0.0.1:5/0", "games"),
        a_server("dynamodb", "http://127.0.0.1:1"), a_server("mongodb", "mongodb://127.0.0.1:2/?directConnection=true"),
        a_server("cassandra", "cassandra://ann:p%40ss@127.0.0.1:3"),
    ]  # fmt: skip
    assert exports(servers) == {
        "CASSANDRA_CONTACT_POINTS": "127.0.0.1",
        "CASSANDRA_PORT": "3",
        "CQLSH_HOST": "127.0.0.1",
        "CQLSH_PORT": "3",
        "CASSANDRA_USERNAME": "ann",
        "CASSANDRA_PASSWORD": "p@ss",
        "AWS_ENDPOINT_URL_DYNAMODB": "http://127.0.0.1:1",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_REGION": "us-east-1",
        "AWS_ACCESS_KEY_ID": "local",
        "AWS_SECRET_ACCESS_KEY": "local",
        "MONGODB_URI": "mongodb://127.0.0.1:2/?directConnection=true",
        "REDIS_URL": "redis://127.0.0.1:5/0",
        "REDIS_URL_GAMES": "redis://127.0.0.1:5/0",
        "REDIS_URL_SHOP_EVENTS": "redis://127.0.0.1:4/0",
    }


def test_without_dynamodb_the_others_are_exported() -> None:
    assert set(exports([a_server("mongodb", "mongodb://127.0.0.1:2/")])) == {"MONGODB_URI"}
