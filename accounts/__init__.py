"""Users and their mages: names, engagements, preferences, vacations, house policy, and the notices that tell them."""
