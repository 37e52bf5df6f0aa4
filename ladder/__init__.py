"""Standings of duels and melees: scores, ratings, the roll of honour, statistics."""
