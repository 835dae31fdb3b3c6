"""What a Scrapy project's settings.py needs for Spidermon; if it has extensions or
pipelines, add these to them."""

SPIDERMON_ENABLED = True
EXTENSIONS = {"spidermon.contrib.scrapy.extensions.Spidermon": 500}
ITEM_PIPELINES = {"spidermon.contrib.scrapy.pipelines.ItemValidationPipeline": 800}
