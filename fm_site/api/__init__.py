"""The API of the whole site: the routers of all apps, their guard, description and errors."""
