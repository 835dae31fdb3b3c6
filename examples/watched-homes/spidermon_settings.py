"""Settings for Spidermon in a Scrapy project's settings.py.

If the project has extensions or pipelines, add these entries to them."""

SPIDERMON_ENABLED = True
EXTENSIONS = {"spidermon.contrib.scrapy.extensions.Spidermon": 500}
ITEM_PIPELINES = {"spidermon.contrib.scrapy.pipelines.ItemValidationPipeline": 800}
