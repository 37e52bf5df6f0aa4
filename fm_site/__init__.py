"""The project: settings, addresses, processes. The site itself lives in the apps beside it."""
