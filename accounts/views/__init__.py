"""Pages about a user's own mages and account."""
