"""Every rule for models: the portable ones, and those of the engines' catalogues."""

from collections.abc import Iterable

from keywright.engines.findings.catalogue import RuleCatalogue, catalogues_of, rules_in
from keywright.engines.registry import NAMES, in_order, installed

from .rule import Rule

_portable = rules_in("keywright.rules.portable")

PORTABLE = (
    _portable("GEN001", "entity-without-pattern", in_dev="warning"),
    _portable(
        "GEN002",
        "pattern-without-rate-or-target",
        severity="warning",
        in_dev="info",
        strict={"required": ("rate", "p99_ms")},
    ),
    _portable("GEN003", "hot-pattern-off-primary-key", severity="warning", confidence="estimated", needs=("rate",)),
    _portable("GEN004", "unserved-pattern"),
    _portable("GEN005", "join-at-read", severity="warning", instead_of=("GEN004",)),
    _portable("GEN006", "over-denormalised-field", severity="warning", confidence="estimated", needs=("rate",)),
    _portable("GEN007", "copy-without-source", in_dev="warning"),
    _portable("GEN008", "temporal-without-ttl", in_dev="warning"),
    _portable("GEN009", "stale-read-after-write", in_dev="warning"),
    _portable("GEN010", "consistency-mismatch", in_dev="warning"),
    _portable("GEN011", "size-over-limit", in_dev="warning", confidence="estimated"),
    _portable("GEN012", "engine-misfit", severity="warning", confidence="estimated", needs=("expected",)),
    _portable("GEN013", "cut-over-out-of-order", in_dev="warning"),
    _portable("GEN016", "split-atomic-change", in_dev="warning", instead_of=("GEN024",)),
    _portable("GEN017", "working-set-over-ram", severity="warning", confidence="estimated", needs=("expected",)),
    _portable(
        "GEN018", "small-read-of-big-entity", severity="warning", in_dev="info", confidence="estimated", needs=("rate",)
    ),
    _portable("GEN014", "alert-on-average", in_dev="warning"),
    _portable("GEN015", "alert-on-anomaly-band", severity="warning", in_dev="info"),
    _portable("GEN019", "schema-version-without-reader", in_dev="warning"),
    _portable("GEN020", "relation-shape-mismatch", severity="warning", needs=("rate", "expected")),
    _portable("GEN021", "unbounded-list-pattern", in_dev="warning"),
    _portable("GEN022", "read-examines-too-much", in_dev="warning", confidence="estimated"),
    _portable("GEN023", "unknown-stored-field", severity="warning"),
    _portable("GEN024", "increment-repeated-by-retry", in_dev="warning"),
    _portable("GEN025", "decrement-below-zero", in_dev="warning"),
    _portable("GEN026", "consumer-loses-changes", in_dev="warning"),
    _portable("GEN027", "consumer-mistakes-changes", in_dev="warning"),
    _portable("GEN028", "copies-written-apart", in_dev="warning"),
    _portable("GEN029", "lost-update", in_dev="warning"),
    _portable("GEN030", "put-overwrites-record", in_dev="warning"),
    _portable("GEN035", "personal-data-in-key", in_dev="warning"),
    _portable("GEN036", "secret-stored-readable", in_dev="warning", confidence="inferred"),
    _portable("GEN037", "personal-field-not-marked", severity="warning", in_dev="info", confidence="inferred"),
    _portable(
        "GEN038",
        "personal-data-kept-for-ever",
        severity="warning",
        confidence="estimated",
        needs=("rate", "expected"),
    ),
    _portable("GEN039", "personal-data-in-events", severity="warning"),
    _portable("GEN040", "personal-data-cached-long", severity="warning"),
    _portable("GEN041", "one-time-token-without-end", in_dev="warning", confidence="inferred"),
    _portable("GEN042", "personal-data-in-index", severity="warning", instead_of=("DDB012",)),
    _portable("GEN043", "production-follows-models"),
    _portable("GEN044", "environments-share-tables"),
    _portable("GEN045", "password-in-stack-file"),
    _portable("GEN031", "money-expires", in_dev="warning"),
    _portable("GEN032", "stale-cached-decision", in_dev="warning"),
    _portable("GEN033", "money-as-text", in_dev="warning", confidence="inferred"),
    _portable("GEN105", "key-parts-missing-in-update", instead_of=("GEN004",)),
    _portable("GEN107", "money-as-float", in_dev="warning", confidence="inferred", instead_of=("DDB023",)),
    _portable("MON005", "health-commands-missing", severity="info"),
)
"""Rules for every engine."""

CATALOGUES: tuple[RuleCatalogue, ...] = tuple(catalogues_of(NAMES))
"""The catalogues of this package's engines."""

MODELS = (*PORTABLE, *(rule for catalogue in CATALOGUES for rule in catalogue.rules))
"""Rules for production risks of models that compile."""


def rules_about(engines: Iterable[str]) -> tuple[Rule, ...]:
    """`MODELS`, and the rules for those of the engines that other packages provide."""
    others = [name for name in in_order(engines) if name not in NAMES]
    return (*MODELS, *(rule for catalogue in catalogues_of(others) for rule in catalogue.rules))


def rules_with(codes: Iterable[str]) -> tuple[Rule, ...]:
    """`MODELS`, and the rules of other packages if a code, prefix of codes or name matches no rule of these."""
    unknown = [code for code in codes if not any(rule.code.startswith(code) for rule in MODELS)]
    are_names = all(any(rule.name == code for rule in MODELS) for code in unknown)
    return MODELS if are_names else rules_about(installed())
