"""Making a release: what hosts download, and the tag it is made from."""
