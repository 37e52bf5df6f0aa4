"""Users and their mages: names, engagements, vacations, blocks, tokens, and holds on users."""
