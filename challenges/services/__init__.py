"""Change challenges. Every service is one transaction that first claims the challenge by a conditional update.

The claim locks the challenge's row until the end and increments its revision, so anything that arrives at the same time
waits, and then sees the result. A mage is in at most one challenge or battle, as accounts.Engagement enforces.
"""
