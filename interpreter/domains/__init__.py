"""The shapes an answer can have, one per file."""
