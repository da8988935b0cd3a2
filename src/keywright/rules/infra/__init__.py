"""Rules of infrastructure: what a Pulumi program says of any store, whoever wrote it."""
