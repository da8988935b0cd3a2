"""Ranks, and the members around a member, on real servers."""

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from redis import Redis
from tests.live.conftest import Start
from tests.projects import a_project, imported_alone, with_imports

from keywright import api, runtime
from keywright.api.live.local_servers import local_instances
from keywright.api.prove.prove import prove_on
from keywright.api.prove.scratch import Server
from keywright.errors import UsageError
from keywright.record import Record

pytestmark = pytest.mark.live

MODELS = """
games = kw.RedisServer("games", role="primary")

class Score(BaseModel):
    __store__: ClassVar = kw.RedisSortedSet(games, key="lb:{game}", member="{player}", score="points")
    game: Literal["chess", "go"]
    player: Annotated[int, Field(ge=0)]
    points: Annotated[int, Field(ge=0, le=9)]

put = kw.Put(Score)
around = kw.RankAround(Score, eq=["game", "player"], order="-points", limit=5)
around_up = kw.RankAround(Score, eq=["game", "player"], order="points", ties="shared", limit=4)
around_shared = kw.RankAround(Score, eq=["game", "player"], order="-points", ties="shared")
rank = kw.Rank(Score, eq=["game", "player"], order="-points")
rank_shared = kw.Rank(Score, eq=["game", "player"], order="-points", ties="shared")
rank_shared_up = kw.Rank(Score, eq=["game", "player"], order="points", ties="shared")
"""


class Opened(Record):
    """An open database with its models."""

    models: ModuleType
    db: runtime.Database
    client: Any
    running: Any
    folder: Path


@pytest.fixture(params=("valkey", "redis"))
def opened(start: Start, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opened]:
    running = start("redis", "ranks", product="" if request.param == "valkey" else request.param)
    client = Redis.from_url(running.url)
    client.flushall()
    with imported_alone(tmp_path):
        a_project(tmp_path, {"models/ranks.py": with_imports(MODELS)})
        sys.path.insert(0, str(tmp_path))
        models = import_module("models.ranks")
        yield Opened(models, runtime.open(models, environment="dev", redis=client), client, running, tmp_path)
    client.flushall()
    client.close()


POINTS = {1: 9, 2: 7, 3: 7, 4: 5, 5: 5, 6: 5, 7: 1}
"""Points by player: in descending order 1, 3, 2, 6, 5, 4, 7, because equal scores are ordered by member."""


def filled(opened: Opened) -> Opened:
    score = opened.models.Score
    opened.models.put(opened.db, *(score(game="go", player=each, points=points) for each, points in POINTS.items()))
    return opened


@pytest.mark.parametrize(
    ("player", "players", "position"),
    [
        (1, [1, 3, 2, 6, 5], 0),
        (3, [1, 3, 2, 6, 5], 1),
        (2, [1, 3, 2, 6, 5], 2),
        (6, [3, 2, 6, 5, 4], 2),
        (4, [2, 6, 5, 4, 7], 3),
        (7, [2, 6, 5, 4, 7], 4),
    ],
)
def test_a_member_is_in_the_middle_except_near_the_ends(
    opened: Opened, player: int, players: list[int], position: int
) -> None:
    around = filled(opened).models.around(opened.db, game="go", player=player)
    assert [score.player for score in around] == players
    assert [score.points for score in around] == [POINTS[each] for each in players]
    assert (around.position, around.items[around.position].player) == (position, player)
    assert around.rank == opened.models.rank(opened.db, game="go", player=player)
    assert list(around.ranks) == list(range(around.ranks[0], around.ranks[0] + 5))


def test_equal_scores_share_a_rank(opened: Opened) -> None:
    models, db = filled(opened).models, opened.db
    around = models.around_shared(db, game="go", player=5)
    assert [(score.player, rank) for score, rank in zip(around, around.ranks, strict=True)] == [
        (1, 0), (3, 1), (2, 1), (6, 3), (5, 3), (4, 3), (7, 6)
    ]  # fmt: skip
    part = models.around_shared(db, game="go", player=5, limit=2)
    assert ([score.player for score in part], part.ranks, part.rank) == ([6, 5], (3, 3), 3)
    up = models.around_up(db, game="go", player=3)
    assert [(score.player, rank) for score, rank in zip(up, up.ranks, strict=True)] == [(6, 1), (2, 4), (3, 4), (1, 6)]
    assert [models.rank_shared(db, game="go", player=each) for each in POINTS] == [0, 1, 1, 3, 3, 3, 6]
    assert [models.rank_shared_up(db, game="go", player=each) for each in POINTS] == [6, 4, 4, 1, 1, 1, 0]


def test_there_is_nothing_around_an_absent_member(opened: Opened) -> None:
    models, db = opened.models, opened.db
    for pattern in (models.around, models.around_up, models.rank_shared):
        assert pattern(db, game="go", player=1) is None
    filled(opened)
    assert models.around(db, game="go", player=99) is None
    assert models.rank_shared(db, game="chess", player=1) is None


def test_a_ranking_of_few_members_is_returned_whole(opened: Opened) -> None:
    models, db = opened.models, opened.db
    models.put(db, models.Score(game="chess", player=1, points=1), models.Score(game="chess", player=2, points=2))
    around = models.around(db, game="chess", player=1)
    assert ([score.player for score in around], around.ranks, around.rank) == ([2, 1], (0, 1), 1)


def test_an_answer_has_at_least_one_member(opened: Opened) -> None:
    with pytest.raises(UsageError):
        filled(opened).models.around(opened.db, game="go", player=1, limit=0)


def test_a_member_that_cannot_be_read_is_raised_or_left_out(opened: Opened) -> None:
    models, db = filled(opened).models, opened.db
    opened.client.zadd("lb:go", {"nobody": 8})
    with pytest.raises(runtime.InvalidItem):
        models.around(db, game="go", player=1)
    around = models.around(db, game="go", player=3, on_invalid="skip")
    assert ([score.player for score in around], around.ranks, around.position) == ([1, 3, 2, 6], (0, 2, 3, 4), 1)


def test_ranks_are_proved(opened: Opened) -> None:
    compiled = api.compile(api.load(str(opened.folder)))
    (instance,) = local_instances(compiled)
    results = prove_on(
        compiled.project, compiled, [Server(instance, opened.running.url, opened.running.version)], scale=60
    )
    problems = {result.row.pattern.name: result.proof.problems if result.proof else ["none"] for result in results}
    assert set(problems) >= {"around", "around_up", "around_shared", "rank", "rank_shared", "rank_shared_up"}
    assert not any(problems.values()), problems
