"""Live stores: addresses, connections, inspection and observation."""
