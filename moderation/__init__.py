"""The janitors' desk: their views, their actions on battles and users, and the journal."""
