"""The open connections of people and programs: sockets, event streams, and who is here because of them."""
