"""Static files with hashed names, and compressed: also the modules that a script imports."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """WhiteNoise's storage, which writes the hashed names into the import statements of scripts too."""

    support_js_module_import_aggregation = True
