"""The floor: what the framework itself takes for as many queries and bytes, with nothing of ours around it."""
