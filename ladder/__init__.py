"""Scores, ratings, ladders, records and statistics of duels and melees."""
