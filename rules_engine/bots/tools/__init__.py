"""The command line of the computer opponents: matches, fitting, and playing by the line protocol."""
