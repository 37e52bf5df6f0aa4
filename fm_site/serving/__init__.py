"""The HTTP plumbing around every page: buffering, limits, compression, caches, errors."""
