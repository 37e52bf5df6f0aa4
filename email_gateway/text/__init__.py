"""The text of an email, theirs or ours: its lines, its quotations, its words without HTML, and how we wrap ours."""
