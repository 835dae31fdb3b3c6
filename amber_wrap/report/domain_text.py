"""Describe a domain, which is a kind of records such as cars, as text for people."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict

from amber_wrap.domain.gazetteer_patterns import gazetteer_pattern
from amber_wrap.domain.schema import AttributeType, Domain
from amber_wrap.wording import number_of

TAG_LENGTH = 3
"""The most letters of a language or country code in a name: "ja" in "year_ja"."""


def _plugin_origin(domain: Domain, annotator: str) -> str:
    """Return the entry point of the plugin `annotator` in parentheses.

    A plugin is code that finds values. Return "" for built-in code.
    """
    plugin = domain.plugins.get(annotator)
    return f" ({plugin.origin})" if plugin else ""


def _patterns(attribute_type: AttributeType, domain: Domain) -> Iterator[str]:
    """Yield a text on each pattern of an attribute type, such as "pattern year (ja)".

    In parentheses are the languages for which the pattern has a variant.
    """
    variants = _variants(attribute_type.patterns, domain.locales)
    for pattern_name, language_codes in variants.items():
        languages = ", ".join(filter(None, language_codes))
        details = f" ({languages})" if languages else ""
        yield f"pattern {pattern_name}{details}"


def _gazetteers(attribute_type: AttributeType, domain: Domain) -> Iterator[str]:
    """Yield a text on each word list of a type: "gazetteer city (de, 120 terms)".

    The number counts the words for all languages together.
    """
    localised = [
        gazetteer_name
        for gazetteer_name in attribute_type.gazetteers
        if gazetteer_pattern(gazetteer_name) in domain.locales
    ]
    codes_by_name = _variants(attribute_type.gazetteers, localised)
    for gazetteer_name, language_codes in codes_by_name.items():
        variants = [
            f"{gazetteer_name}_{code}" if code else gazetteer_name
            for code in language_codes
        ]
        term_count = sum(len(domain.gazetteers[variant].terms) for variant in variants)
        details = [*filter(None, language_codes), number_of(term_count, "term")]
        yield f"gazetteer {gazetteer_name} ({', '.join(details)})"


def _variants(names: Iterable[str], localised: Collection[str]) -> dict[str, list[str]]:
    """Return the languages for which each pattern or word list has a variant.

    For the names "year" and "year_ja", return `{"year": ["", "ja"]}`. Only a name in
    `localised` ends with a language.
    """
    codes: dict[str, list[str]] = {}
    for name in names:
        base, _, code = name.rpartition("_")
        if name in localised and len(code) <= TAG_LENGTH:
            codes.setdefault(base, []).append(code)
        else:
            codes.setdefault(name, []).append("")
    return codes


def domain_description(domain: Domain) -> str:
    """Return the output of `domain show`: the types of a domain, and what recognises
    their values.

    Values are recognised by patterns, word lists and code.
    """
    schema, thresholds = domain.schema, domain.thresholds
    domain_lines = [
        f"{domain.name}: {domain.title}",
        f"pivots: {', '.join(schema.pivots)}",
    ]
    for attribute_type in schema.types:
        recognisers = [
            *_patterns(attribute_type, domain),
            *_gazetteers(attribute_type, domain),
            *(
                f"annotator {name}{_plugin_origin(domain, name)}"
                for name in attribute_type.annotators
            ),
            *(["names"] if attribute_type.names else []),
        ]
        presence = "regular" if attribute_type.regular else "optional"
        domain_lines.append(
            f"  {attribute_type.name:14} {attribute_type.kind:9} {presence:9} "
            f"{', '.join(recognisers)}"
        )
    domain_lines += [
        f"disjoint: {first}, {second}" for first, second in schema.disjoint
    ]
    threshold_texts = (f"{name} {value}" for name, value in asdict(thresholds).items())
    domain_lines.append(f"thresholds: {', '.join(threshold_texts)}")
    return "\n".join(domain_lines) + "\n"
