"""From the text of rules to a lowered program; importing this package loads nothing."""
