"""Monitors that check the records of a spider.

amber-wrap export wrote this file, and you can edit it.

In the spider: custom_settings = {**SETTINGS, ...}, with this module's SETTINGS.  In the
project's settings.py: from spidermon_settings import *"""

from typing import Any

from spidermon import Monitor, MonitorSuite, monitors
from spidermon.contrib.monitors.mixins import StatsMonitorMixin
from spidermon.contrib.scrapy.monitors import (
    ErrorCountMonitor,
    FieldCoverageMonitor,
    FinishReasonMonitor,
    ItemCountMonitor,
)

ITEM = "HomesItem"
# The smallest share of items with a value, by field.
RULES = {
    "HomesItem/price": 0.6,
    "HomesItem/location": 0.6,
    "HomesItem/postcode": 0.1,
    "HomesItem/bedrooms": 0.2,
    "HomesItem/bathrooms": 0.15,
    "HomesItem/receptions": 0.1,
    "HomesItem/living_area": 0.0,
    "HomesItem/property_type": 0.6,
    "HomesItem/legal_status": 0.0,
    "HomesItem/details_page": 0.2,
    "HomesItem/image": 0.2,
}
# The forms of most values, as a JSON schema.
SCHEMA: dict[str, Any] = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "type": "object",
    "properties": {
        "price": {
            "type": ["number", "null"],
            "minimum": 10,
            "exclusiveMaximum": 10000000000,
        },
        "price_currency": {"type": ["string", "null"]},
        "location": {"type": ["string", "null"], "minLength": 5, "maxLength": 156},
        "postcode": {"type": ["string", "null"], "minLength": 1, "maxLength": 32},
        "bedrooms": {
            "type": ["integer", "null"],
            "minimum": 0,
            "exclusiveMaximum": 100000,
        },
        "bathrooms": {
            "type": ["number", "null"],
            "minimum": 0,
            "exclusiveMaximum": 100000,
        },
        "receptions": {
            "type": ["integer", "null"],
            "minimum": 0,
            "exclusiveMaximum": 100000,
        },
        "living_area": {
            "type": ["number", "null"],
            "minimum": 0,
            "exclusiveMaximum": 100000000,
        },
        "living_area_unit": {"type": ["string", "null"]},
        "property_type": {"type": ["string", "null"], "minLength": 1, "maxLength": 80},
        "legal_status": {"type": ["string", "null"], "minLength": 2, "maxLength": 44},
        "details_page": {"type": ["string", "null"], "pattern": "^https?://"},
        "image": {"type": ["string", "null"], "pattern": "^https?://"},
    },
    "additionalProperties": False,
}


@monitors.name("Forms of values")
class FormMonitor(Monitor, StatsMonitorMixin):
    """Check that most values of each field match the schema."""

    @monitors.name("Most values are like those of the samples")
    def test_forms(self) -> None:
        """Check that no field has more values with errors than without."""
        wrong = []
        for field in SCHEMA["properties"]:
            values = self.stats.get(f"spidermon_item_scraped_count/{ITEM}/{field}", 0)
            errors = sum(
                count
                for name, count in self.stats.items()
                if name.startswith("spidermon/validation/fields/errors/")
                and name.endswith(f"/{field}")
            )
            if 2 * errors > values:
                wrong.append(f"{field}: {errors} of {values} values")
        if wrong:
            self.fail(f"unlike those of the samples: {'; '.join(wrong)}")


class HomesMonitors(MonitorSuite):
    """The monitors that run when the spider is done."""

    monitors = (
        ItemCountMonitor,
        FieldCoverageMonitor,
        FormMonitor,
        ErrorCountMonitor,
        FinishReasonMonitor,
    )


SETTINGS: dict[Any, Any] = {
    "SPIDERMON_SPIDER_CLOSE_MONITORS": (HomesMonitors,),
    "SPIDERMON_MIN_ITEMS": 1,
    "SPIDERMON_MAX_ERRORS": 0,
    "SPIDERMON_ADD_FIELD_COVERAGE": True,
    "SPIDERMON_FIELD_COVERAGE_RULES": RULES,
    "SPIDERMON_FIELD_COVERAGE_SKIP_NONE": True,
    "SPIDERMON_FIELD_COVERAGE_SKIP_FALSY": False,  # 0 is a value.
    "SPIDERMON_VALIDATION_SCHEMAS": [SCHEMA],
}
