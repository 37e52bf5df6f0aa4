"""Keeping a site healthy: backups, keys, health, logs, metrics."""
