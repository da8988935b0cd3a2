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

class Finish(BaseModel):
    __store__: ClassVar = kw.RedisSortedSet(games, key="race:{race}", member="{name}", score="points", then="-second")
    race: Literal["a", "b"]
    name: Annotated[str, Field(pattern="^[a-z0-9]{1,6}$")]
    points: Annotated[int, Field(ge=-5, le=5)]
    second: Annotated[int, Field(ge=0, lt=2**32)]

finish = kw.Put(Finish)
first_finish = kw.Put(Finish, if_absent=True)
finished = kw.Get(Finish)
best = kw.Read(Finish, eq="race", order=["-points", "second"], limit=3)
worst = kw.Read(Finish, eq="race", order=["points", "-second"], limit=3)
of_points = kw.Read(Finish, eq=["race", "points"], order="second", limit=3)
between = kw.Read(Finish, eq="race", range="points", order=["-points", "second"], limit=50)
inside = kw.Count(Finish, eq="race", range="points", excludes="both")
at_least = kw.Count(Finish, eq="race", where={"points": kw.AtLeast(1)})
below = kw.Count(Finish, eq="race", where={"points": kw.Below(1)})
place = kw.Rank(Finish, order="-points")
near = kw.RankAround(Finish, order="-points", limit=3)
improve = kw.Update(Finish, sets=["points", "second"])
withdraw = kw.Delete(Finish)

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


FINISHES = [
    ("a", 3, 70),
    ("b", 3, 20),
    ("c", -5, 0),
    ("d", 5, 2**32 - 1),
    ("e", 3, 20),
    ("f", -5, 2**32 - 1),
    ("g", 0, 9),
]
"""(name, points, second); by points, then the earlier second: d, e, b, a, g, c, f, as equal ones follow their names."""


def raced(opened: Opened) -> tuple[ModuleType, runtime.Database]:
    models = opened.models
    entries = (models.Finish(race="a", name=name, points=points, second=second) for name, points, second in FINISHES)
    models.finish(opened.db, *entries)
    return models, opened.db


def test_a_second_number_orders_equal_scores(opened: Opened) -> None:
    models, db = raced(opened)
    best = [entry for page in models.best.pages(db, race="a") for entry in page]
    assert [(entry.name, entry.points, entry.second) for entry in best] == [
        ("d", 5, 2**32 - 1), ("e", 3, 20), ("b", 3, 20), ("a", 3, 70), ("g", 0, 9), ("c", -5, 0), ("f", -5, 2**32 - 1)
    ]  # fmt: skip
    assert [entry.name for page in models.worst.pages(db, race="a") for entry in page] == list("fcgabed")
    assert [models.place(db, race="a", name=name) for name in "debagcf"] == list(range(7))
    assert [entry.name for entry in models.near(db, race="a", name="a")] == ["b", "a", "g"]


def test_conditions_on_a_score_with_two_numbers_are_exact(opened: Opened) -> None:
    models, db = raced(opened)
    assert [entry.name for entry in models.of_points(db, race="a", points=3)] == ["e", "b", "a"]
    assert [entry.name for entry in models.between(db, race="a", points=(-5, 3))] == list("ebagcf")
    assert [entry.name for entry in models.between(db, race="a", points=(None, 0))] == list("gcf")
    assert models.inside(db, race="a", points=(-5, 5)) == 4
    assert models.inside(db, race="a", points=(3, None)) == 1
    assert (models.at_least(db, race="a"), models.below(db, race="a")) == (4, 3)


def test_both_numbers_of_a_score_are_written_together(opened: Opened) -> None:
    models, db = raced(opened)
    models.improve(db, race="a", name="g", points=3, second=20)
    assert models.finished(db, race="a", name="g") == models.Finish(race="a", name="g", points=3, second=20)
    assert [models.place(db, race="a", name=name) for name in "geb"] == [1, 2, 3]
    with pytest.raises(runtime.InvalidValue):
        models.improve(db, race="a", name="g", points=3, second=2**32)
    with pytest.raises(runtime.ConditionFailed):
        models.improve(db, race="a", name="nobody", points=3, second=20)
    with pytest.raises(runtime.ConditionFailed):
        models.first_finish(db, models.Finish(race="a", name="g", points=0, second=0))
    models.withdraw(db, race="a", name="g")
    assert models.finished(db, race="a", name="g") is None


def test_ranks_are_proved(opened: Opened) -> None:
    compiled = api.compile(api.load(str(opened.folder)))
    (instance,) = local_instances(compiled)
    results = prove_on(
        compiled.project, compiled, [Server(instance, opened.running.url, opened.running.version)], scale=60
    )
    problems = {result.row.pattern.name: result.proof.problems if result.proof else ["none"] for result in results}
    assert set(problems) >= {
        "best",
        "worst",
        "between",
        "inside",
        "place",
        "near",
        "improve",
        "finish",
        "around",
        "around_up",
        "around_shared",
        "rank",
        "rank_shared",
        "rank_shared_up",
    }
    assert not any(problems.values()), problems
