"""Plays any program that speaks the line protocol of bots on a Firetop Mountain site (README.md)."""
