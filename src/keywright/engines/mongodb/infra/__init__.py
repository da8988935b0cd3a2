"""Rules of Pulumi resources, one module per rule."""
