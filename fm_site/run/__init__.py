"""Running the embedded site: its processes, and what keeps them running together."""
