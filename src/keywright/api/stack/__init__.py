"""Pulumi stacks: desired state, resources, previews, delegated steps."""
