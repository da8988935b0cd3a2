"""Resources of Pulumi programs, for rules."""
