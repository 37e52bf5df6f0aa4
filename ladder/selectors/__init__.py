"""Read scores, ratings, ladders, records and statistics."""
