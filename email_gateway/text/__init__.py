"""The text of an email, whoever wrote it: its lines, its quotations, its words without HTML, and how we wrap ours."""
