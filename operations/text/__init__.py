"""What every text shares: dates and times, suggestions of what was meant, characters that nobody can see."""
