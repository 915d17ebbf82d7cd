"""Players that see only a pending choice and a view."""
