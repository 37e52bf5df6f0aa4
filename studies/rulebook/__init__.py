"""The rules for readers: every spell of a ruleset with its gestures and a short description."""
