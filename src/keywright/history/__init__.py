"""What happens to a store over time: runs steps, once each, however often a run is broken off."""
