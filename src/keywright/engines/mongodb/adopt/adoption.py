"""See `Adoption`."""

from keywright.engines.contract.adoption import Adoption

from .adopt import adopt, sampled

ADOPTION = Adoption(adopt=adopt, sampled=sampled)
