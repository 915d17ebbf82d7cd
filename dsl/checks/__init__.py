"""The laws every ruleset must keep, one per file."""
