"""The parts of keywright that are specific to Redis."""
