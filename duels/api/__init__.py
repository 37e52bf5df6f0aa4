"""The API of battles."""
