"""Every rule of migrations: the catalogue on one screen."""

from keywright.engines.cassandra import hazards as cassandra
from keywright.engines.dynamodb import hazards as dynamodb
from keywright.engines.hazards import (
    access,
    backfills,
    breaks,
    destroys,
    fails,
    locks,
    names,
    owners,
    rebuilds,
    renames,
)
from keywright.engines.mongodb import hazards as mongodb
from keywright.engines.redis import hazards as redis

from .rule import Rule

CHAIN = (
    Rule("NL101", is_suppressible=False),
    Rule("NL102", is_suppressible=False),
    Rule("NL103", is_suppressible=False),
)
"""The versions themselves; found where they are read."""

SUPPRESSIONS = (
    Rule("SUP001", is_suppressible=False),
    Rule("SUP002", is_suppressible=False),
    Rule("SUP003", severity="warning", is_suppressible=False),
    Rule("SUP004", is_suppressible=False),
    Rule("SUP005", is_suppressible=False),
)
"""What is wrong with accepting; found by `suppress`."""

HAZARDS = (
    Rule("RN101", renames.unhinted, is_suppressible=False),
    Rule("RN102", renames.idle, is_suppressible=False),
    Rule("RB101", rebuilds.keys, is_suppressible=False),
    Rule("RB102", rebuilds.key_types, is_suppressible=False),
    Rule("RB103", cassandra.counters, is_suppressible=False),
    Rule("RB104", dynamodb.captures, is_suppressible=False),
    Rule("RB105", rebuilds.merging, is_suppressible=False),
    Rule("DS101", destroys.stores),
    Rule("DS102", destroys.tables),
    Rule("DS103", destroys.fields),
    Rule("DS104", destroys.expiries),
    Rule("DS105", redis.less_memory),
    Rule("DS106", destroys.graves),
    Rule("MF101", mongodb.unique_builds),
    Rule("MF102", mongodb.made_unique),
    Rule("MF103", fails.required),
    Rule("MF104", fails.tightened),
    Rule("MF105", dynamodb.key_values, is_suppressible=False),
    Rule("MF106", cassandra.null_reads, severity="warning", confidence="inferred"),
    Rule("BC101", breaks.copies),
    Rule("BC102", breaks.renamed_fields),
    Rule("BC103", breaks.types),
    Rule("BC104", dynamodb.projections),
    Rule("BC105", breaks.streams),
    Rule("BC106", mongodb.fewer_words),
    Rule("BC107", breaks.marks),
    Rule("BC108", breaks.elements),
    Rule("BC108", mongodb.other_elements),
    Rule("AP101", access.lost),
    Rule("AP102", access.unserved),
    Rule("AP103", access.idle, severity="warning"),
    Rule("LK101", dynamodb.at_once),
    Rule("LK102", locks.ungated),
    Rule("LK103", dynamodb.large, severity="warning"),
    Rule("LK104", mongodb.large, severity="warning"),
    Rule("LK105", mongodb.in_transactions),
    Rule("LK106", cassandra.disagreeing),
    Rule("BF101", backfills.computed, severity="warning"),
    Rule("BF102", backfills.validated, severity="warning"),
    Rule("BF103", backfills.copied, severity="warning"),
    Rule("BF104", backfills.impure),
    Rule("BF105", backfills.untold),
    Rule("CO101", dynamodb.heavy, severity="warning"),
    Rule("CO102", mongodb.large_documents, severity="warning", confidence="estimated"),
    Rule("CO103", mongodb.unbounded, severity="warning"),
    Rule("CO103", redis.unbounded, severity="warning"),
    Rule("NE101", cassandra.without_effect, severity="warning"),
    Rule("NM101", names.stores, severity="warning", confidence="inferred"),
    Rule("NM102", names.tables, severity="warning", confidence="inferred"),
    Rule("NM103", names.attributes, severity="warning", confidence="inferred"),
    Rule("NM104", names.indexes, severity="warning", confidence="inferred"),
    Rule("NM105", names.prefixes, severity="warning", confidence="inferred"),
    Rule("OW101", owners.foreign, severity="warning"),
)
"""What goes wrong with a migration; a code that two engines find in their own ways has a line for each."""

RULES = (*CHAIN, *SUPPRESSIONS, *HAZARDS)
"""All of them."""

BY_CODE = {rule.code: rule for rule in RULES}
"""A rule by its code."""
