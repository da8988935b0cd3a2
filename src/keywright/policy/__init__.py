"""keywright's rules as a policy pack of Pulumi; what a pack's `pack.py` imports.

```python
from keywright.policy import policies

POLICIES = policies(__file__)
```
"""

from .pack import policies

__all__ = ["policies"]
