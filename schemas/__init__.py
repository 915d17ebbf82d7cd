"""JSON Schemas of what Cambist reads and writes, found through importlib.resources; no logic."""
