"""Rules of MongoDB: a file each, named as the rule."""
