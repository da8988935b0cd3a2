"""What goes wrong when a change reaches a running system: a module for each family of codes, for all engines."""
