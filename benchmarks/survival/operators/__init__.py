"""Change copies of pages at random, by twelve functions (operators).

Each operator makes a change that happens to sites. It chooses elements, class names or
texts with a given probability, changes them, and notes what known records then display
differently. If a page has nothing that the operator can change, nothing changes.
"""

from collections.abc import Callable, Mapping

from operators.draft import Draft
from operators.fields import drop_field, reorder_fields
from operators.marks import (
    change_class_tokens,
    change_id,
    hash_suffix_class,
    rename_class,
    shuffle_attributes,
)
from operators.structure import insert_adverts, swap_tags, wrap_or_unwrap
from operators.wording import change_currency, change_label

OPERATORS: Mapping[str, Callable[[Draft], None]] = {
    "wrap": wrap_or_unwrap,
    "rename-class": rename_class,
    "hash-class": hash_suffix_class,
    "class-tokens": change_class_tokens,
    "reorder-fields": reorder_fields,
    "advert": insert_adverts,
    "drop-field": drop_field,
    "swap-tag": swap_tags,
    "change-id": change_id,
    "label-text": change_label,
    "attributes": shuffle_attributes,
    "currency": change_currency,
}
"""The functions that change a copy of a page, by name."""
