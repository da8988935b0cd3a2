"""Rules for infrastructure: the resources of any Pulumi program."""
