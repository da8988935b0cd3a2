"""Calls as commands that a person could send, made on demand."""

from collections.abc import Iterable
from typing import assert_never

from keywright.access.partial_write import Versions
from keywright.access.path import AccessPath
from keywright.access.query import Condition
from keywright.access.search import Planned
from keywright.declare.store import VERSION
from keywright.ir.json import Json
from keywright.ir.text import counted

from ..schema.layout import bucket_key, dead_letters, delayed
from ..schema.target import ServerTarget
from .calls import (
    Call,
    ClaimEntries,
    CountElements,
    Fetch,
    Guard,
    Increase,
    MemberRank,
    Near,
    Neighbours,
    Permit,
    Pop,
    Probe,
    PutItems,
    Range,
    Remove,
    Search,
    SetFields,
    Transaction,
    Write,
)
from .search_calls import SearchTerm
from .write_commands import Words, commands_of, member_text, value


def query(planned: Planned[ServerTarget]) -> Json:
    """See `Engine.query`: commands word by word, the number of keys, and whether they are a script or MULTI."""
    limit = {"get": "1", "read": "" if planned.pattern.limit is None else ":limit"}.get(planned.pattern.kind, "")
    return _described(planned.access_path, planned.access_path.call, limit, planned.pattern.kind)  # type: ignore[arg-type]


def _described(path: AccessPath, call: Call, limit: str, kind: str) -> Json:
    match call:
        case Fetch() | Probe() | Range() | Near() | CountElements() | MemberRank():
            described: dict[str, Json] = {
                "commands": _listed([_reading(call, limit, "read" if path.residual else kind)])
            }
            return described if path.fan_out == 1 else {**described, "keys": path.fan_out}
        case Search():
            return {"commands": _listed([_searching(call, limit)])}
        case Neighbours():
            return {"script": {"commands": _listed(_neighbours(call))}}
        case Pop():
            return {"commands": _listed([["RPOP", call.keys.text, ":limit"]])}
        case ClaimEntries():
            return {"script": {"commands": _listed(_claim(call))},
                    "acknowledge": {"commands": _listed([["XACK", call.keys.text, call.group, ":ids"]])},
                    "return": {"commands": _listed([["XCLAIM", call.keys.text, call.group, ":consumer", "0", ":ids",
                                                     "IDLE", ":milliseconds", "JUSTID"]])}}  # fmt: skip
        case Permit():
            return {"script": {"commands": _listed(_permit(call))}}
        case Transaction(parts=parts, is_script=is_script):
            return _together(parts, is_script=is_script)
        case PutItems() | SetFields() | Increase() | Remove():
            return _written(call)
        case _ as never:
            assert_never(never)


def _listed(commands: Iterable[Iterable[str]]) -> Json:
    return [list(words) for words in commands]


def _reading(call: Fetch | Probe | Range | Near | CountElements | MemberRank, limit: str, kind: str) -> Words:
    key = call.keys.text
    match call:
        case Fetch():
            return _fetching(call, key, kind)
        case Probe():
            return _probing(call, key)
        case Range():
            return _ranging(call, key, limit)
        case Near(condition=condition):
            point = [f":{condition.field}.longitude", f":{condition.field}.latitude"]
            search = ["GEOSEARCH", key, "FROMLONLAT", *point, "BYRADIUS", f":{condition.field}.metres", "m", "ASC"]
            return [*search, *(["COUNT", limit] if limit else []), "WITHCOORD", "WITHDIST"]
        case CountElements(command=command, bounds=bounds):
            if command == "BITCOUNT" and bounds:
                low, high = bits(bounds)
                return [command, key, low, high, "BIT"]
            return [command, key, *(ends(bounds) if command == "ZCOUNT" else ())]
        case MemberRank(member=member, is_backward=is_backward):
            return ["ZREVRANK" if is_backward else "ZRANK", key, member.template.text]


def _searching(call: Search, limit: str) -> Words:
    terms = " ".join(map(_term, call.terms)) or "*"
    if call.nearest is not None:
        name = call.nearest.attribute
        knn = f"({terms})=>[KNN {limit} @{name} :{call.nearest.condition.field} AS __distance]"
        return ["FT.SEARCH", call.index, knn, "SORTBY", "__distance", "LIMIT", "0", limit]
    if call.near is not None:
        field, name = call.near.condition.field, call.near.attribute
        point = f":{field}.longitude :{field}.latitude"
        terms = f"{terms} @{name}:[{point} :{field}.metres m]".removeprefix("* ")
        apply = ["APPLY", f"geodistance(@{name},{point.replace(' ', ',')})", "AS", "__distance"]
        order = ["SORTBY", "4", "@__distance", "ASC", "@__key", "ASC"]
        load = ["LOAD", "2", f"@{name}", "@__key"]
        return ["FT.AGGREGATE", call.index, terms, *load, *apply, *order, "LIMIT", ":offset", limit or ":count"]
    if call.is_count:
        return ["FT.SEARCH", call.index, terms, "LIMIT", "0", "0"]
    order = ["SORTBY", call.order, "DESC" if call.is_descending else "ASC"] if call.order else []
    return ["FT.SEARCH", call.index, terms, *order, "LIMIT", ":offset", limit or ":count"]


def _term(term: SearchTerm) -> str:
    condition, start = term.condition, f"@{term.attribute}"
    if term.kind == "TEXT":
        return f"{start}:(:search)"
    operand = value(condition)
    if term.kind == "TAG":
        return f"{'-' if condition.kind == 'not' else ''}{start}:{{{operand}}}"
    if condition.kind in ("equals", "one_of", "contains", "not"):
        return f"{'-' if condition.kind == 'not' else ''}{start}:[{operand} {operand}]"
    low, high = ends((condition,))
    match condition.kind:
        case "above":
            low, high = f"({operand}", "+inf"
        case "at_most":
            low, high = "-inf", operand
        case "between":
            high = high.replace(")", "")
    return f"{start}:[{low} {high}]"


def _fetching(call: Fetch, key: str, kind: str) -> Words:
    if kind == "count":
        return ["EXISTS", key, *(["..."] if not call.keys.filled.is_single and call.keys.can_be_named_at_once else [])]
    if call.structure.kind == "hash":
        return ["HMGET", key, *call.fields] if call.fields else ["HGETALL", key]
    is_many = not call.keys.filled.is_single and call.keys.can_be_named_at_once
    if call.structure.kind == "json":
        return ["JSON.MGET", key, "...", "."] if is_many and not call.fields else ["JSON.GET", key, *call.fields]
    return ["MGET", key, "..."] if is_many else ["GET", key]


def _probing(call: Probe, key: str) -> Words:
    command = {"set": "SISMEMBER", "sorted set": "ZSCORE", "geo": "GEOPOS", "bitmap": "GETBIT"}[call.structure.kind]
    if call.members is None:
        assert call.bit is not None
        return [command, key, value(call.bit)]
    if call.members.is_single:
        return [command, key, call.members.template.text]
    several = {"SISMEMBER": "SMISMEMBER", "ZSCORE": "ZMSCORE"}.get(command, command)
    return [several, key, call.members.template.text, "..."]


def _ranging(call: Range, key: str, limit: str) -> Words:
    match call.structure.kind:
        case "list":
            return ["LRANGE", key, "0", {"": "-1", "1": "0"}.get(limit, f"{limit}-1")]
        case "set":
            return ["SSCAN", key, "0", "COUNT", limit] if limit else ["SMEMBERS", key]
        case "stream":
            return ["XREVRANGE", key, "+", "-", *(["COUNT", limit] if limit else [])]
        case _:
            low, high = ends(call.bounds)
            page = ["REV"] if call.is_backward else []
            page += ["LIMIT", "0", limit] if limit else []
            first, last = (high, low) if call.is_backward else (low, high)
            return ["ZRANGE", key, first, last, "BYSCORE", *page, "WITHSCORES"]


def ends(bounds: tuple[Condition, ...]) -> tuple[str, str]:
    """The lowest and the highest score of some conditions, in words; of two conditions on an end, the last wins."""
    low, high = "-inf", "+inf"
    for bound in bounds:
        match bound.kind:
            case "between":
                low = f"{'(' if bound.excludes_first else ''}:{bound.field}.first"
                high = f"{'(' if bound.excludes_last else ''}:{bound.field}.last"
            case "at_least":
                low = value(bound)
            case "below":
                high = f"({value(bound)}"
            case _:
                low = high = value(bound)
    return low, high


def bits(bounds: tuple[Condition, ...]) -> tuple[str, str]:
    """The first and the last bit of some conditions, in words."""
    low, high = ends(bounds)
    last = high.removeprefix("(")
    if last != high:
        last = str(int(last) - 1) if last.isdecimal() else f"{last}-1"
    first = low.removeprefix("(")
    if first != low:
        low = f"{first}+1"
    return ("0" if low == "-inf" else low), ("-1" if last == "+inf" else last)


def _written(call: Write) -> Json:
    guards, commands = _guards(call), _listed(commands_of(call))
    if guards:
        return {"script": {"if": guards, "commands": commands}}
    assert isinstance(commands, list)
    is_together = len(commands) > 1 and not (isinstance(call, PutItems) and call.structure.due)
    return {"commands": commands, "transaction": True} if is_together else {"commands": commands}


def _together(parts: tuple[Write, ...], *, is_script: bool) -> Json:
    guards: list[Json] = []
    commands: list[Words] = []
    for part in parts:
        guards += _guards(part, alone=False)
        commands += commands_of(part, alone=False)
    if is_script:
        return {"script": {"if": guards, "commands": _listed(commands)}}
    return {"commands": _listed(commands), "transaction": True}


def _guards(call: Write, *, alone: bool = True) -> list[Json]:
    if isinstance(call, PutItems):
        subject = f"{call.key} {call.member}".strip()
        is_guarded = call.if_absent == "script" or (bool(call.if_absent) and not alone)
        return [f"{subject} is absent"] if is_guarded else []
    if isinstance(call, Remove) and call.bit is not None:
        return [f"{call.keys.text} {value(call.bit)} is present"]
    key = f"{call.keys.text} {member_text(call)}".strip()
    must_exist = isinstance(call, SetFields) or (isinstance(call, Increase) and call.must_exist)
    lines: list[Json] = [f"{key} is present"] if must_exist else []
    if isinstance(call, Increase) and call.stays_exact:
        lines.append(f"{call.structure.value} stays below 2^53")
    if isinstance(call, Remove) and call.guards and not call.is_strict:
        lines.append(f"{key} is present, else nothing is done")
    if isinstance(call, (SetFields, Increase)) and call.versions is not None:
        lines.append(_admitting(key, call.versions))
    if isinstance(call, SetFields) and call.most is not None:
        lines.append(f"{call.pushes} has fewer than {counted(call.most, 'element')}")
    return [*lines, *(_guard(guard) for guard in call.guards)]


def _admitting(key: str, versions: Versions) -> str:
    """The schema versions that an item may have."""
    if versions.least == versions.most > 1:
        return f"{key} {VERSION} is {versions.most}"
    absent = "absent or " if versions.least == 1 else f"at least {versions.least} and "
    return f"{key} {VERSION} is {absent}at most {versions.most}"


def _guard(guard: Guard) -> str:
    return str(guard.condition)


def _claim(call: ClaimEntries) -> list[Words]:
    key, group, idle = call.keys.text, call.group, str(call.idle_milliseconds)
    set_aside = f"if delivered more than {counted(call.max_deliveries, 'time')}"
    due = [
        ["ZRANGEBYSCORE", delayed(key), "-inf", ":now", "LIMIT", "0", ":limit"],
        ["XADD", key, "*", ":fields", "of each"],
        ["ZREM", delayed(key), ":entry", "of each"],
    ]
    return [
        *(due if call.structure.due else []),
        ["XAUTOCLAIM", key, group, ":consumer", idle, ":cursor", "COUNT", ":limit"],
        ["XPENDING", key, group, ":id", ":id", "1"],
        ["XADD", dead_letters(key), "*", ":fields", set_aside],
        ["XACK", key, group, ":id", set_aside],
        ["XREADGROUP", "GROUP", group, ":consumer", "COUNT", ":limit", "STREAMS", key, ">"],
    ]


def _neighbours(call: Neighbours) -> list[Words]:
    key, member = call.keys.text, call.member.template.text
    rank = ["ZREVRANK" if call.is_backward else "ZRANK", key, member]
    count = ["ZCOUNT", key, *(("(:first", "+inf") if call.is_backward else ("-inf", "(:first"))]
    if call.is_rank:
        return [["ZSCORE", key, member], [*count[:2], *(word.replace("first", "score") for word in count[2:])]]
    members = ["ZRANGE", key, ":first", ":last", *(["REV"] if call.is_backward else []), "WITHSCORES"]
    return [rank, ["ZCARD", key], members, *([count] if call.shares_ranks else [])]


def _permit(call: Permit) -> list[Words]:
    structure, key = call.structure, call.keys.text
    per, limit = str(structure.per_seconds), str(structure.limit)
    if structure.window == "fixed":
        window = f"{key}::window"
        return [
            ["GET", window],
            ["INCRBY", window, ":limit", f"if not above {limit}"],
            ["EXPIRE", window, str(2 * int(per))],
        ]
    if structure.window == "bucket":
        bucket = bucket_key(key)
        is_allowed = f"if at most {structure.burst} tokens are taken, of which {limit} flow in every {per} s"
        return [["GET", bucket], ["SET", bucket, ":full_at", "PX", ":milliseconds", is_allowed]]
    member = call.member.template.text if call.member else ":unique"
    return [
        ["ZREMRANGEBYSCORE", key, "-inf", f":now-{per}"],
        ["ZCARD", key],
        ["ZADD", key, ":now", member, f"if below {limit}"],
        ["EXPIRE", key, per],
    ]
