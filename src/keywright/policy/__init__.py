"""keywright's rules as a policy pack of Pulumi, for import in a pack's `pack.py`.

```python
from keywright.policy import policies

POLICIES = policies(__file__)
```
"""

from .pack import policies

__all__ = ["policies"]
