"""The project: settings, URLs and processes. The site's features are in the apps."""
