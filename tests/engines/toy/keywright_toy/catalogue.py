"""Every rule about boxes."""

from keywright.engines.findings.catalogue import RuleCatalogue, rules_in

_rule = rules_in(f"{__package__}.rules", "toy")

CATALOGUE = RuleCatalogue(
    prefix="TOY",
    title="Toy",
    rules=(_rule("TOY001", "box-without-capacity", severity="warning"),),
)
"""The rules, each with a page in `pages`."""
