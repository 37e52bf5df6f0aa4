"""Statements compiled once per process, for the queries that every page or order repeats."""
