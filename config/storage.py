"""Static files under names that carry a hash of their content, so browsers may keep them for ever."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStaticFiles(CompressedManifestStaticFilesStorage):
    support_js_module_import_aggregation = True  # imports inside our ES modules get hashed names too
