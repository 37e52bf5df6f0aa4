"""The texts of emails: reports, notices, answers and digests."""
