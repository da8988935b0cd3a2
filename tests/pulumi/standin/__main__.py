"""`python -m tests.pulumi.standin`: as the engine starts a provider, which prints its port."""

from .server import serve

serve()
