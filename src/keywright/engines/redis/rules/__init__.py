"""Rules of Redis: a file each, named as the rule."""
