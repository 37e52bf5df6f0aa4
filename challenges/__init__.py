"""Find an opponent: open and closed challenges, their terms, seats, votes and invite links."""
