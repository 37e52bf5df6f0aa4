"""What is written to people: reports, notices, answers and digests."""
