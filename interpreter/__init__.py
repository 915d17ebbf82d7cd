"""From a lowered program to games, logs and views."""
