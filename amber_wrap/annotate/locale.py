"""Determine the language and country of a page, and select the patterns to use.

The language and country also determine the currency that "$" stands for.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from amber_wrap.annotate.thresholds import ANNOTATION
from amber_wrap.cache import remembered
from amber_wrap.dom.page import ITEM_PROPERTY, Page
from amber_wrap.domain.gazetteer_patterns import gazetteer_pattern
from amber_wrap.domain.schema import Domain

FUNCTION_WORDS: Final[Mapping[str, str]] = {
    "en": "the and with this your from are you our that have not more of to for by",
    "de": "und der das mit für von ist nicht auf wir oder eine bei auch nach zum zur",
    "fr": "les une pour avec dans vous nous votre aux ce cette ces sont été leur",
    "es": "el los las y más desde sin su muy nuestro nuestra está tu hasta ser",
    "it": "il di che della nel sono gli più alla dei delle nella dal questo anche",
    "pt": "os uma não em dos ao você seu sua mais pela pelo são também até",
    "nl": "het een met voor niet aan naar ook uw onze zijn wordt bij deze",
    "pl": "się jest nie dla oraz przez lub jak które są twoje także już",
    "cs": "jsou nebo které není více také při až která všechny vaše je podle ve ze jen"
    " ještě jako",
    "sv": "och är för att från eller inte även mer alla utan hos vår",
    "no": "og er av ikke til også etter uten meg mer oss noe nå",
    "da": "og er af ikke til også efter uden mig mere os noget vores",
    "fi": "ja että tai sekä ovat myös mutta joka tämä voit ei kaikki",
    "ru": "и в на с для по не от из или это как что мы вы",
    "bs": "je su ili nije koji kako samo kao više sve sa iz nakon svi prema još bez ste"
    " nema vaš možete",
    "lv": "un ir ar uz kas vai nav jūs mēs pēc arī",
    "tr": "ve bir bu için ile daha olarak çok veya olan gibi",
    "hu": "és az hogy nem egy vagy csak még ezt amely ki",
    "ro": "și în cu pentru este sau mai din nu sunt care pe",
    "sk": "sú alebo ktoré nie aj iba pri až ktorá všetky vaše je podľa pre tiež",
    "sl": "ali ki kot več pri tudi vse so ter lahko še vas brez kako",
    "et": "ja või kui ka ei see mis oma kõik meie rohkem aga kuni ning",
    "lt": "ir yra iš į kad arba bei jūsų mūsų prie nuo iki daugiau visi kaip",
    "uk": "і та в на з для що не від або це як ми ви є до цей",
    "bg": "и в на с за от се да не е или са по при със във като ще най",
    "el": "και το η ο των της του με για από στο στη είναι που δεν τα οι σε ή",
    "id": "yang untuk dengan dari ini tidak atau juga lebih pada oleh adalah akan dapat"
    " itu kami anda ada",
    "vi": "và của là các những được không cho với trong này có một từ đến hoặc",
}
"""Words of each language on any topic, such as "the", joined by blanks.

The keys are ISO 639 codes.
"""
LANGUAGES: Final = {
    **{"nb": "no", "nn": "no", "hr": "bs", "sr": "bs", "sh": "bs"},
    **{"in": "id", "ms": "id", "iw": "he"},
}
"""Maps the code of a language to the code of another language that replaces it, such as
"nb" to "no".
"""
HOSTS: Final = {
    **{country: country for country in "de fr es it pt nl pl sk no fi ru".split()},
    **{country: country for country in "lv lt hu ro tr bg".split()},
    **{"at": "de", "br": "pt", "cz": "cs", "se": "sv", "dk": "da", "ua": "uk"},
    **{"ee": "et", "si": "sl", "gr": "el", "cy": "el", "md": "ro", "jp": "ja"},
    **{"kr": "ko", "cn": "zh", "tw": "zh", "uk": "en", "ie": "en", "au": "en"},
    **{"nz": "en", "us": "en", "hr": "bs", "ba": "bs", "rs": "bs", "mx": "es"},
    **{"id": "id", "vn": "vi", "il": "he"},
    **{"ar": "es", "cl": "es", "pe": "es", "uy": "es", "cr": "es", "be": "", "ch": ""},
}
"""Maps the top-level domain of a country to the language of nearly all its pages.

The language is "" for a country with several languages.
"""
COUNTRIES: Final = {"uk": "gb"}
"""Maps a top-level domain to its country's ISO 3166 code, if the two differ."""
TEMPLATES: Final = "en"
"""The language that ready-made templates of websites declare by default.

Many names of products and films are in this language, too.
"""
_WORD: Final = re.compile(r"[^\W\d_]+")
_LANGUAGE_TAG: Final = re.compile(
    r" *([A-Za-z]{2,3})(?:[-_][A-Za-z]{4})?(?:[-_]([A-Za-z]{2}))?(?![A-Za-z])"
)
"""Matches a language tag such as "de", "de_AT" or "zh-Hans-CN". The groups are the
language and the country.
"""
_HOST: Final = re.compile(r" *(?:https?:)?//[^/?#:]*\.([A-Za-z]{2})(?![^/?#:])")
"""Matches the start of an address, including the host. The group is the host's
top-level domain, which may show the language of a page.
"""
_LANGUAGES_OF_WORD: Final = {
    word: [
        language for language, words in FUNCTION_WORDS.items() if word in words.split()
    ]
    for all_words in FUNCTION_WORDS.values()
    for word in all_words.split()
}
"""Maps each word in `FUNCTION_WORDS`, such as "the", to the codes of its languages."""
_US_DOLLAR: Final = "USD"
_DOLLAR_CURRENCIES: Final = {
    **{"AR": "ARS", "AU": "AUD", "BB": "BBD", "BS": "BSD", "BZ": "BZD", "CA": "CAD"},
    **{"CL": "CLP", "CO": "COP", "CU": "CUP", "DO": "DOP", "FJ": "FJD", "GY": "GYD"},
    **{"HK": "HKD", "JM": "JMD", "MX": "MXN", "NA": "NAD", "NZ": "NZD", "SG": "SGD"},
    **{"SR": "SRD", "TT": "TTD", "TW": "TWD", "UY": "UYU"},
}
"""The ISO 4217 code of each country's currency that is written with "$", by the ISO
3166 code of the country. The US dollar is left out."""
_LANGUAGES_OF_DOLLARS: Final = frozenset({"es", "fr", "zh"})
"""Languages of several countries whose currencies are written with "$"."""
GENERIC: Final = frozenset({"co"})
"""Top-level domains of countries that sites in other countries use, too.

A site is surely in the country if its host has a second level, as in ".com.co".
"""
_CURRENCY_CODE: Final = re.compile(r"[A-Z]{3}")
IN_SCRIPT: Final = re.compile(r'"priceCurrency"\s*:\s*"([A-Z]{3})"')
"""Matches the currency of a product in JSON-LD. The group is its ISO 4217 code."""
HOST: Final = re.compile(
    r" *(?:https?:)?//[^/?#:]*?(\.(?:com?|net|org))?\.([a-z]{2})(?![^/?#:])", re.I
)
"""Matches the start of an address, including the host. The groups are a second level
such as ".com", which may be missing, and the top-level domain of a country.
"""


@dataclass(frozen=True, slots=True)
class Locale:
    """A language (ISO 639, "de") and a country (ISO 3166, "AT").

    Each is "" if unknown.
    """

    language: str = ""
    country: str = ""

    def matches(self, tag: str) -> bool:
        """Return whether a language tag has the language or the country of the locale.

        Examples of tags are "de" and "de-AT".
        """
        language, _, country = tag.partition("-")
        return language == self.language or (country != "" and country == self.country)


UNKNOWN: Final = Locale()


def locale_of(page: Page) -> Locale:
    """Return the language and country of a page.

    The page's declarations decide, unless function words such as "the" show another
    language.
    """
    word_counts = _function_words(page)
    declarations = tuple(_declared_locales(page))
    language = _declared_language(declarations, word_counts)
    frequent_language = _language_of_text(word_counts, language)
    if frequent_language:
        language = frequent_language
    if not language:
        return UNKNOWN
    countries = [
        declared.country
        for declared in declarations
        if declared.language in ("", language)
    ]
    return Locale(language, next(filter(None, countries), ""))


def _declared_language(
    declarations: Sequence[Locale], word_counts: Counter[str]
) -> str:
    """Return the first language that a page declares credibly, or "" if there is none.

    English must be declared twice or have words in `word_counts`, because templates
    declare it by default.
    """
    declaration_counts = Counter(declared.language for declared in declarations)
    for language in filter(None, (declared.language for declared in declarations)):
        if (
            language != TEMPLATES
            or word_counts[language] >= ANNOTATION.least_confirming_words
            or declaration_counts[language] > 1
        ):
            return language
    return ""


def _language_of_text(word_counts: Counter[str], declared: str) -> str:
    """Return the language of a page's text, if it isn't the declared language.

    `word_counts` has the number of function words, such as "the", by language. Return
    "" if the words confirm the declared language, or if no other language has clearly
    more words.
    """
    by_frequency = [*word_counts.most_common(2), ("", 0), ("", 0)]
    (best, best_count), (_, second_count) = by_frequency[:2]
    is_confirmed = word_counts[declared] >= ANNOTATION.least_confirming_words
    # Only English is declared by default.
    is_declared_safe = is_confirmed or declared not in ("", TEMPLATES)
    least_count = ANNOTATION.least_confirming_words + 1
    if is_declared_safe:
        least_count = ANNOTATION.least_outvoting_words
    if (
        best != declared
        and word_counts[declared] < ANNOTATION.least_outvoting_words
        and best_count >= least_count
        and best_count > ANNOTATION.least_language_lead * second_count
    ):
        return best
    return ""


def _declared_locales(page: Page) -> Iterator[Locale]:
    """Yield the languages and countries that a page declares.

    The host in the address of the page comes last: ".de" stands for German.
    """
    addresses = []
    for node in page.elements():
        attributes = page.attributes[node]
        language_tag = ""
        match page.tag[node]:
            case "html":
                language_tag = attributes.get("lang") or attributes.get("xml:lang", "")
            case "meta":
                name = attributes.get("property") or attributes.get("http-equiv", "")
                content = attributes.get("content", "")
                if name.lower() in ("og:locale", "content-language"):
                    language_tag = content
                elif name.lower() == "og:url":
                    addresses.append(content)
            case "link" if attributes.get("rel") == "canonical":
                addresses.append(attributes.get("href", ""))
            case "body":
                break
        if tag_match := _LANGUAGE_TAG.match(language_tag):
            language = tag_match[1].lower()
            language = LANGUAGES.get(language, language)
            yield Locale(language, (tag_match[2] or "").upper())
    for host in filter(None, map(_HOST.match, addresses)):
        country = host[1].lower()
        if country in HOSTS:
            yield Locale(HOSTS[country], COUNTRIES.get(country, country).upper())
            return


def _function_words(page: Page) -> Counter[str]:
    """Return the number of function words such as "the" in a page's text, by language.

    Words in capitals are ignored, and a repeated word is counted only a few times.
    """
    counts: Counter[str] = Counter()
    for word, count in Counter(_WORD.findall("\n".join(page.text))).items():
        if not word.isupper():
            for language in _LANGUAGES_OF_WORD.get(word.lower(), ()):
                counts[language] += min(count, ANNOTATION.most_counted_of_word)
    return counts


def for_locale(domain: Domain, locale: Locale) -> Domain:
    """Return a domain with only the patterns and word lists for a language and country.

    If the language is unknown, return the domain unchanged.
    """
    return _localised(domain, locale) if locale.language else domain


@remembered
def _localised(domain: Domain, locale: Locale) -> Domain:
    """Return a domain with only the patterns and word lists for a known language and
    country."""

    def applies(recogniser: str) -> bool:
        """Return whether the pattern or word list `recogniser` is for the page's
        language.

        Return False for a general pattern such as `date` if the domain also has
        `date_de` for the language.
        """
        if language_tags := domain.locales.get(recogniser):
            return any(map(locale.matches, language_tags))
        return f"{recogniser}_{locale.language}" not in domain.locales

    types = tuple(
        replace(
            attribute_type,
            patterns=tuple(filter(applies, attribute_type.patterns)),
            weak=tuple(filter(applies, attribute_type.weak)),
            short=tuple(filter(applies, attribute_type.short)),
            gazetteers=tuple(
                name
                for name in attribute_type.gazetteers
                if applies(gazetteer_pattern(name))
            ),
        )
        for attribute_type in domain.schema.types
    )
    return replace(domain, schema=replace(domain.schema, types=types))


def dollar_of(pages: Sequence[Page]) -> str:
    """Return the ISO 4217 code of the currency that "$" stands for on the given pages.

    Return "" if the currency is unknown or differs between the pages.
    """
    currencies = {_dollar_of_page(page) for page in pages}
    return currencies.pop() if len(currencies) == 1 else ""


def _dollar_of_page(page: Page) -> str:
    """Return the ISO 4217 code of the currency that "$" stands for on a page.

    Return "" if the currency codes, country and language of the page leave several
    currencies possible.
    """
    dollars = {_US_DOLLAR, *_DOLLAR_CURRENCIES.values()}
    codes = set(filter(_CURRENCY_CODE.fullmatch, _currency_codes(page))) & dollars
    if codes:
        return codes.pop() if len(codes) == 1 else ""
    locale = locale_of(page)
    countries = [locale.country, *_countries_of_hosts(page)]
    if country := next(filter(None, countries), ""):
        return _DOLLAR_CURRENCIES.get(country, _US_DOLLAR)
    return "" if locale.language in _LANGUAGES_OF_DOLLARS else _US_DOLLAR


def _currency_codes(page: Page) -> Iterator[str]:
    """Yield the currency codes in a page's microdata, Open Graph metadata and
    scripts.
    """
    for node in page.elements():
        attributes = page.attributes[node]
        if attributes.get(ITEM_PROPERTY) == "priceCurrency":
            yield attributes.get("content", "") or page.string(node)
        elif attributes.get("property", "").endswith("price:currency"):
            yield attributes.get("content", "")
    for script in page.root.iter("script"):
        yield from IN_SCRIPT.findall(script.text or "")


def _countries_of_hosts(page: Page) -> Iterator[str]:
    """Yield the country code of each host in a page's own addresses, for example "AU"
    for "example.com.au".

    The addresses are the URL, the base, the canonical link and the `og:url`.
    """
    addresses = [page.url]
    for node in page.elements():
        attributes = page.attributes[node]
        if page.tag[node] == "base" or attributes.get("rel") == "canonical":
            addresses.append(attributes.get("href", ""))
        elif attributes.get("property") == "og:url":
            addresses.append(attributes.get("content", ""))
    for host in filter(None, map(HOST.match, addresses)):
        second_level, country = host.groups()
        if second_level or country.lower() not in GENERIC:
            yield country.upper()
