"""Clocks: starting, stopping, extending and ending them, always in a transaction that holds the battle's lock."""
