"""The games: rules and sheets as text, found through importlib.resources; no logic."""
