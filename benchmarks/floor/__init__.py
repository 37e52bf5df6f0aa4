"""The floor: the cost of the bare framework for as many queries and bytes, without our code."""
