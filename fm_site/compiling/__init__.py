"""Compiling the rules engine, and choosing the build that a process imports."""
