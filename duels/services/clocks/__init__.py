"""Clocks: what starts, stops, lengthens and ends them. All of it inside a transaction that holds the battle's lock."""
