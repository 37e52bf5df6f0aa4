"""Notices to users, and their delivery, exactly once."""
