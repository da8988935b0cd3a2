"""Rules for every engine: one file for each rule, with its name."""
