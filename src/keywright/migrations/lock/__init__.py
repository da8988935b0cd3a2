"""The lock of a store: leases and waiting for them."""
