"""What pages say of DynamoDB, shown on DynamoDB Local: claims of the files beside this one, and what it cannot show."""

from collections.abc import Callable, Iterator

import pytest
from boto3.dynamodb.types import TypeSerializer
from tests.live import dynamodb_observing as dynamodb_observing
from tests.live.dynamodb_refusing import Client, truth
from tests.live.truth import Claim

from keywright.drivers.dynamodb import driver as dynamodb
from keywright.local import Running

pytestmark = pytest.mark.live

UNTHROTTLED = "DynamoDB Local throttles nothing"

for _code in ("DDB004", "DDB005", "DDB006", "DDB007", "DDB019", "DDB020"):
    truth.beyond(_code, "A partition serves 3000 read and 1000 write units a second, and no more", UNTHROTTLED)
truth.beyond(
    "DDB009", "Where the newest items of a key come is one partition, however many there are", "DynamoDB Local has none"
)
for _code in ("DDB010", "DDB109", "DDB110"):
    truth.beyond(_code, "An index that is throttled throttles the writes of its table", UNTHROTTLED)
truth.beyond("DDB026", "Autoscaling acts minutes after a surge has begun", "DynamoDB Local scales nothing")
truth.beyond("DDB111", "An update changes 300 attributes at the most", "DynamoDB Local takes more")
truth.beyond("DDB025", "A change may come twice, and one that is not handled holds up what is behind it",
             "it is the mapping to a function that repeats, which DynamoDB Local has not")  # fmt: skip
truth.beyond("DDB028", "With a local index the items of one key have 10 GB at the most",
             "it takes more data than a test has")  # fmt: skip
truth.beyond("GEN008", "What has expired is deleted within days, and billed until then",
             "DynamoDB Local deletes within seconds, and bills nothing")  # fmt: skip
truth.beyond("MF105", "What does not fit an index is left out when it is built, and refused when it is written again",
             "DynamoDB Local is more lenient: it indexes such values, and takes writes of them")  # fmt: skip

for _code in ("DDB023", "GEN107"):

    @truth(_code, "The client takes no floats")
    def _(_: Client) -> str:
        with pytest.raises(TypeError, match="Float types are not supported") as error:
            TypeSerializer().serialize(1.5)
        return f"boto3: {error.value}"


@pytest.fixture(scope="module")
def connected(start: Callable[..., Running]) -> Iterator[Client]:
    """A client that sees tables of its own."""
    asking: Client = dynamodb.client(start("dynamodb").url.replace("://", "://truth@"))
    yield asking
    asking.close()


@pytest.fixture
def client(connected: Client) -> Iterator[Client]:
    """A client of a server without tables."""
    _drop_tables(connected)
    yield connected
    _drop_tables(connected)


def _drop_tables(client: Client) -> None:
    for name in client.list_tables()["TableNames"]:
        client.delete_table(TableName=name)


@pytest.mark.parametrize("claim", truth.shown, ids=str)
def test_dynamodb_does_what_pages_say(
    claim: Claim, client: Client, start: Callable[..., Running], is_true: Callable[..., bool]
) -> None:
    assert is_true(truth, claim, client, f"DynamoDB Local {start('dynamodb').version}".strip())
