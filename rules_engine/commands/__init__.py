"""The command line, `python -m rules_engine`: the only part of this package that does input and output."""
