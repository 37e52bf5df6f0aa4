"""Battles from other programs' pages and tables, rebuilt as records."""
