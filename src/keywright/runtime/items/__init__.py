"""Items and instances: generated codecs, key templates, upgrades."""
