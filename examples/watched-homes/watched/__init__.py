"""A Scrapy project around one wrapper."""
