"""The janitors' desk: what they see, what they do to battles and users, and the journal of it."""
