"""Creates Pulumi resources from targets. Only this package, `policy`, `provider` and `pulumi.py` import Pulumi."""
