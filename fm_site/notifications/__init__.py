"""What a user is told, by which channel, once."""
