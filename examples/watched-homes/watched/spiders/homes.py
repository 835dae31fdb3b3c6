"""The exported spider, watched by the exported monitors."""

from homes_monitors import SETTINGS as MONITORS
from homes_spider import SETTINGS, HomesSpider


class WatchedSpider(HomesSpider):
    """All records, page by page; what people add to the spider stands here."""

    name = "homes"
    custom_settings = {**SETTINGS, **MONITORS, "DOWNLOAD_DELAY": 0.2}  # noqa: RUF012
