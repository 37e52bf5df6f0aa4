"""Leagues and cups: pairings, tables, schedules. Reads results and begins battles; it changes none."""
