"""Reading users and mages."""
