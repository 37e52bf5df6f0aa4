"""The API of what is read of battles that are over: records and the search."""
