"""What every page and API call shares: who calls, how often they may, and how errors are answered."""
