"""Rules of every engine: a file each, named as the rule."""
