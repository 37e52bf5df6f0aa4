"""The only code that changes scores, ratings, statistics and ladders.

Scores: `apply_results` writes rows, `revise_results` corrects them, `revision_log` keeps what that replaces. A mage's
rows count in the order in which they were written. Locks are taken on the battle's row, then on its mages by id.
Ratings: `rate_battles` decides which battles to rate, `rating_rows` reads and writes the rows.
Statistics: `count_requests` lists the battles to count; `count_battles` adds one to the `totals` and `record_tallies`.
"""
