"""The settings of the project: nothing but where its spiders are, and Spidermon's."""

from spidermon_settings import *  # noqa: F403

BOT_NAME = "watched"
SPIDER_MODULES = ["watched.spiders"]
