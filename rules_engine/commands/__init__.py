"""The command line, `python -m rules_engine`: the one part of this package that looks at the world."""
