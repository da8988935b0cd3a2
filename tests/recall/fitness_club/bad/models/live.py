"""All that is live: scores, pulses, screens, events and limits, in Redis."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal

import keywright as kw
from pydantic import BaseModel, Field

from models.coaching import MachineId
from models.members import ULID, ClubId, MemberId
from models.studio import StudioClass
from models.wallet import CompanyId

EventId = Annotated[str, Field(pattern=ULID), kw.Size(avg=26, max=26)]

floor = kw.RedisServer(
    "floor",
    role="primary",
    owner="live",
    persistence=[kw.Aof(fsync="always"), kw.Rdb()],
    settings={"repl-backlog-size": "512mb"},
)
pulse = kw.RedisServer("pulse", role="sessions", owner="live", settings={"repl-backlog-size": "256mb"})
screens = kw.RedisServer("screens", role="primary", owner="live", eviction="volatile-lru")
signals = kw.RedisServer("signals", role="queue", owner="live", settings={"repl-backlog-size": "512mb"})
gate = kw.RedisServer("gate", role="limiter", owner="access")
timetable_cache = kw.RedisServer("timetable-cache", role="cache", owner="classes")


class MoveScore(BaseModel):
    """A member's points in the ranking of a club."""

    __store__: ClassVar = kw.RedisSortedSet(
        floor,
        key="moves:{club_id:tag}",
        member="{member_id}",
        score="points",
        kind="event",
    )

    club_id: ClubId
    member_id: MemberId
    points: Annotated[int, Field(ge=0)]


add_points = kw.Increment(MoveScore, "points", rate="12k/s", peak="30k/s", hot_key="200/s", p99_ms=10)
top_movers = kw.Read(MoveScore, eq="club_id", order="-points", limit=20, rate="400/s", p99_ms=10)
rank_of_member = kw.Rank(MoveScore, eq=["club_id", "member_id"], order="-points", rate="300/s", p99_ms=10)


class ChallengeEntrant(BaseModel):
    """Who takes part in a challenge of the chain; a popular one has four hundred thousand entrants."""

    __store__: ClassVar = kw.RedisSet(
        floor,
        key="entrants:{challenge_id:tag}",
        member="{member_id}",
        ttl=timedelta(days=120),
        expected=4_000_000,
    )

    challenge_id: Annotated[str, Field(pattern=ULID), kw.Size(avg=26, max=26), kw.Cardinality(distinct=20)]
    member_id: MemberId


enter_challenge = kw.Put(ChallengeEntrant, rate="5/s", peak="400/s", p99_ms=10)
is_entrant = kw.Get(ChallengeEntrant, eq=["challenge_id", "member_id"], rate="500/s", p99_ms=10)
entrants = kw.Read(ChallengeEntrant, eq="challenge_id", rate="3/s", p99_ms=50)
count_entrants = kw.Count(ChallengeEntrant, eq="challenge_id", rate="50/s", p99_ms=10)
leave_challenge = kw.Delete(ChallengeEntrant, rate="1/s", p99_ms=10)


class LivePulse(BaseModel):
    """The heart rate of somebody who trains right now, for the screens of the studio."""

    __store__: ClassVar = kw.RedisHash(
        pulse, key="pulse:{area:tag}:{member_id}", ttl=timedelta(minutes=10), kind="session", expected=90_000
    )

    area: Literal["live"] = "live"
    member_id: MemberId
    beats: Annotated[int, Field(ge=20, le=260), kw.Pii()]
    measured_at: datetime


send_pulse = kw.Put(LivePulse, rate="20k/s", peak="60k/s", p99_ms=10)
pulse_of_member = kw.Get(LivePulse, eq=["area", "member_id"], rate="20k/s", peak="60k/s", p99_ms=10)


class MachineState(BaseModel):
    """What a machine does right now; it reports every minute."""

    __store__: ClassVar = kw.RedisHash(
        pulse, key="machine:{area:tag}:{machine_id}", ttl=timedelta(minutes=15), kind="session", expected=60_000
    )

    area: Literal["live"] = "live"
    machine_id: MachineId
    state: Literal["idle", "running", "fault"]
    reported_at: datetime


report_state = kw.Put(MachineState, rate="1k/s", p99_ms=10)
state_of_machine = kw.Get(MachineState, eq=["area", "machine_id"], rate="500/s", p99_ms=10)


class Screen(BaseModel):
    """What a screen in a studio shows."""

    __store__: ClassVar = kw.RedisHash(
        screens, key="screen:{screen_id}", expected=6_000, keep_forever="a screen stays until it is taken down"
    )

    screen_id: Annotated[str, Field(pattern=r"^s[0-9]{6}$"), kw.Size(avg=7, max=7)]
    club_id: ClubId
    layout: Literal["pulse", "ranking", "timetable", "notice"]
    notice: Annotated[str, kw.Size(avg=80, max=500)] = ""


screen = kw.Get(Screen, eq="screen_id", rate="600/s", p99_ms=10)
put_up_screen = kw.Put(Screen, rate="20/day", p99_ms=20)
show_layout = kw.Update(Screen, sets=["layout", "notice"], rate="2/s", p99_ms=20)
take_down_screen = kw.Delete(Screen, rate="10/day", p99_ms=20)


reactions = kw.ConsumerGroup("reactions", idempotency="event_id", claim_after=timedelta(minutes=1))


class ClubEvent(BaseModel):
    """Something that happened in a club."""

    __store__: ClassVar = kw.RedisStream(
        signals, key="events", keep=timedelta(hours=2), groups=[reactions], kind="event"
    )

    event_id: EventId
    club_id: ClubId
    member_id: MemberId
    what: Literal["entered", "left", "class-began", "class-ended", "machine-used"]


announce_event = kw.Put(ClubEvent, rate="8k/s", peak="20k/s", p99_ms=10)
react_on_event = kw.Take(ClubEvent, group=reactions, limit=100, rate="240/s", p99_ms=20)


class CompanyCall(BaseModel):
    """Calls of a company's own system: three hundred thousand in any hour."""

    __store__: ClassVar = kw.RedisRateLimit(
        gate,
        key="calls:{company_id:tag}",
        limit=300_000,
        per=timedelta(hours=1),
        window="sliding",
    )

    company_id: CompanyId


allow_company_call = kw.Take(CompanyCall, rate="2k/s", p99_ms=5)


cached_class = kw.bind(
    StudioClass,
    kw.RedisCache(timetable_cache, key="class:{class_id}", ttl=timedelta(minutes=5), source_of_truth=StudioClass),
)

class_page = kw.Get(cached_class, eq="class_id", rate="3k/s", peak="12k/s", p99_ms=5)
cache_class = kw.Put(cached_class, rate="120/s", peak="600/s", p99_ms=10)
