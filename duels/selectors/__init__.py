"""Reading battles as each viewer may see them. Pages, sockets, the API, email and the admin read nothing else."""
