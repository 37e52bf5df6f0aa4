"""Mail in, as orders, and mail out, as reports: one more front door, and the postman."""
