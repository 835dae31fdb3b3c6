"""Convert the displayed text of a number, an amount of money or a quantity to a value.

The result is None for a text with no value or several values, such as a range.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import Final

from amber_wrap.values.currencies import (
    CURRENCIES,
    CURRENCY_SIGNS,
    CURRENCY_WORDS,
    DOLLAR,
    any_of_words,
    currency,
    name_by_word,
)
from amber_wrap.values.texts import DIGIT, LONGEST_VALUE
from amber_wrap.values.units import UNIT, UNIT_NAMES, unit_of

# The start or end of a word, which a digit or a script without blanks may adjoin.
EDGE: Final = r"(?<![a-zß-öø-ž](?=[a-zß-öø-ž²³]))"

_NUMBER: Final = (
    r"\d{1,3}(?:[ '’]\d{3})+(?:[.,]\d\d?)?(?![.,]?\d)"  # 1 234,50  1'234.50
    r"|\d+(?:٬\d{3})*٫\d+|\d{1,3}(?:٬\d{3})+"  # ١٬٢٣٤٫٥
    r"|\d+(?:[.,]\d+)*(?: ?[¼-¾⅐-⅞])?"  # 1,234.50  1.234,50  12,5  2½
    r"|(?<!\w)\.\d+|[¼-¾⅐-⅞]"  # .99  ½
)

NO_BLANKS: Final = str.maketrans("", "", " '’٬")

_SEPARATOR: Final = re.compile("[.,]")

_NO_SIGN: Final = re.compile(r"[\d\s.,'’*-]+")
"""Matches the characters of an amount of money other than its currency: digits and
punctuation.
"""

# The text between two numbers of a range, sum or product. Another number may also
# follow 億 directly: 1億2000万.
RANGE: Final = re.compile(
    r" ?(?P<dash>[-–—]) ?| ?[~～〜x×] ?| \+ |\+(?! )|(?<=億)"
    r"| (?:a|à|al|and|bis|do|till|to|tot|und|y) ",
    re.IGNORECASE,
)

SIGN: Final = "[-+−–]"
"""A regular expression for the plus or minus sign of a number. Pages also show a minus
sign as a dash."""

_SCALES: Final = {
    10**3: "k|thousand|tausend|tsd|mil|mila|mii|tis|tys|tkr|tuhat|tūkst|ezer"
    "|bin|ribu|rb|тыс|тис|хил|χιλ",
    10**4: "[万萬만]",
    10**5: "lakhs?|lacs?",
    10**6: r"m|mn|mln|mio|mill\.|milli(?:on[a-z]*|ó)|millones|millón|milion[ei]"
    "|milh(?:ão|ões)|mkr|milj|miljo[a-z]+|milijun[a-z]*|milyon|juta|jt|triệu|εκατ|млн",
    10**7: "cr|crores?",
    10**8: "[億亿억]",
    10**9: "bn|billion|mrd|mld|mil[jl]i?ard[a-z]*|mil[iy]ar|t[ỷỉ]|млрд",
}

# In French prices the currency sign may replace the decimal separator: 12€50.
SIGN_AS_POINT: Final = re.compile(r"(\d)€(\d\d)(?![\d.,])")

# Subunits: "85p" is £0.85; the currency of "99c" is unknown.
CENTS: Final = re.compile(r"(?<![\w£$€.,])(\d\d?)(?:(p)|[c¢])(?![\w.])")

# The periods that a price is for: nouns behind "per", and below single words.
PERIODS: Final = name_by_word(
    "hour=hour,hr,h,heure,hora,ora,stunde,std,uur,timme,timen,tunti,tund,óra,oră "
    "hour=godz,godzinę,godzina,hod,hodinu,hodina,saat,час,ώρα,時間,小时 "
    "day=day,d,jour,día,dia,giorno,dag,tag,den,doba,dobę,dygn,døgn,vrk,сутки,день "
    "night=night,nt,nuit,noche,noite,notte,nacht,natt "
    "week=week,wk,w,semaine,semana,settimana,woche,vecka,uge,uke,tydzień,týden "
    "week=viikko,неделю "
    "month=month,mo,mth,m,mois,mes,mês,mese,monat,maand,mån,månad,månaden,md,mnd "
    "month=mc,mies,miesiąc,měsíc,mesiac,kk,kuukausi,kuu,kuus,mēn,mėn "
    "month=mj,mjesec,hó,hónap,lună,ay,μήνα,мес,месяц,місяць,міс,месец,月,월 "
    "quarter=quarter,qtr,trimestre,quartal,kwartaal "
    "year=year,yr,y,annum,an,année,año,ano,anno,jahr,jaar,år,rok,vuosi,год"
)

RATES: Final = name_by_word(
    "hour=hourly day=daily night=nightly week=weekly,pw,pppw "
    "month=monthly,pcm,pm,monatlich,mtl "
    "quarter=quarterly,pq year=yearly,annually,pa"
)

RATE: Final = re.compile(
    r"(/ ?|(?<![^\W\d])(?:a|al|an|i|im|je|na|om|par|per|por|pro|za|в) )?"
    r"(?<![^\W\d])([^\W\d]+)(?!\w)"
)

# In lower case, km and ft are units; KM is a currency (the mark), as is Ft (forint).
# The "r" of "r1234" is a revision; R is a currency (the rand). "Rm 12" is a room; RM is
# a currency (the ringgit).
_SIGN: Final = (
    rf"(?!(?-i:{UNIT_NAMES}|r(?! ?\$)|[Rr]m)(?![^\W\d]))"
    rf"(?:{any_of_words(CURRENCY_SIGNS)})"
).replace(r"\$", r" ?\$")

# Behind an amount, ¢ are cents of some currency; before it, colones.
_SIGN_OR_WORD: Final = rf"(?!¢){_SIGN}|(?:{any_of_words(CURRENCY_WORDS)})(?![^\W\d_])"

# The separators that are decimal before three digits, by unit: 1.234 l is 1 l 234 ml.
DECIMAL_SIGNS: Final = {"l": ".,", "ha": ".", "acre": "."}

# Group i + 1 matches the numeral i. "One" is an article in other languages.
NUMERAL: Final = re.compile(
    r"\b(?:(studio)|(one)|(two|zwei|deux|dos|due|dois|duas|twee|dw(?:a|ie)|dv[aě]|två|две)"
    r"|(three|drei|trois|tr[eê]s?|drie|trzy|tři|три)"
    r"|(four|vier|quatre|cuatro|quattro|quatro|cztery|čtyři|fyra|четыре)"
    r"|(five|fünf|cinq|cinco|cinque|vijf|fem)|(six)|(seven)|(eight)|(nine)|(ten))\b",
    re.IGNORECASE,
)


def _figure(before: str, scale: str, after: str) -> re.Pattern[str]:
    """Return a pattern for a number with an optional currency, unit and scale such as
    "k".

    `before` and `after` are expressions for a currency or unit before and behind the
    number, and `scale` is an expression for the scale.
    """
    return re.compile(
        rf"(?P<before>(?:{EDGE}(?:{before}){EDGE}(?:\. | )?)?)"
        rf"(?P<number>{_NUMBER})(?:[.,:][-–—]+)?"
        rf"(?: ?(?P<scale>{scale}){EDGE}\.?)?(?: ?(?P<after>{after}){EDGE})?",
        re.IGNORECASE,
    )


_NEVER: Final = "(?!)"

SCALE: Final = "|".join(_SCALES.values())

PRICE: Final = _figure(_SIGN, SCALE, _SIGN_OR_WORD)

SIZE: Final = _figure(_NEVER, f"(?!(?:{UNIT}){EDGE})(?:{SCALE})", UNIT)

PLAIN: Final = _figure(_NEVER, "k", _NEVER)


def to_number(digits: str, decimal: str = "") -> float:
    """Return the value of digits that match `_NUMBER`, such as 1200 for "1,200".

    A separator before three digits separates decimals only if `decimal` contains it, or
    if it can't separate thousands, as in "0.125".
    """
    digits = digits.translate(NO_BLANKS)
    if "٫" in digits:  # The Arabic decimal point.
        return float(digits.replace("٫", "."))
    if not digits[-1].isdecimal():
        return to_number(digits[:-1] or "0", decimal) + unicodedata.numeric(digits[-1])
    *groups, last = _SEPARATOR.split(digits)
    separators = _SEPARATOR.findall(digits)
    if len(separators) == 1 and len(last) == 3:
        whole = groups[0]
        is_decimal = whole in ("", "0") or len(whole) > 3 or separators[0] in decimal
    else:
        is_decimal = len(last) != 3 or len(set(separators)) == 2
    if separators and is_decimal:
        return float("".join([*groups, ".", last]))
    return int("".join([*groups, last]))  # A float would round long numbers.


def value_of(figure: re.Match[str], decimal: str = "") -> float:
    """Return the value of a matched number with its scale, such as 1500 for "1.5k".

    A whole number is an int. `decimal` has the characters that separate decimals even
    before three digits.
    """
    factor = 1
    if scale := figure["scale"]:
        factor = factor_of(scale)
        decimal = "." if factor < 10**6 else ".,"
    value = round(to_number(figure["number"], decimal) * factor, 6)
    return value if value % 1 else int(value)


@cache
def factor_of(scale: str) -> int:
    """Return the factor that a scale stands for: 1000 for "k"."""
    scales = _SCALES.items()
    return next(n for n, names in scales if re.fullmatch(names, scale, re.IGNORECASE))


def sign_of(figure: re.Match[str] | None) -> str:
    """Return the currency or unit beside a matched number.

    Return "" if there is no currency or unit, or if `figure` is None.
    """
    return (figure["after"] or figure["before"]).strip(" .") if figure else ""


def find_figure(
    pattern: re.Pattern[str], text: str
) -> tuple[re.Match[str], re.Match[str] | None] | None:
    """Return the match of the main number in a text, and the match of the end of its
    range.

    For "500-600 €", they match "500" and "600 €". The second match is None if there is
    no range. Return None if the text has no number.
    """
    first = None
    for start in pattern.finditer(text):
        separator = RANGE.match(text, start.end())
        end = pattern.match(text, separator.end()) if separator else None
        if separator and separator["dash"] and end and value_of(end) < value_of(start):
            end = None  # no range: "£250,000 - 3 bedrooms"
        # A number with a currency or unit is the main number.
        if sign_of(start) or sign_of(end):
            return start, end
        first = first or (start, end)
    return first


# Each pass reads the amounts of all lists on a page anew.
@lru_cache(maxsize=1 << 14)
def money(
    text: str, dollar: str = CURRENCIES[DOLLAR]
) -> tuple[float | None, str | None, str | None]:
    """Return the amount, ISO 4217 currency and period of a price: (1200, "GBP",
    "month") for "£1,200 pcm".

    `dollar` is the currency of a bare "$", or "" if unknown. An unknown part is None,
    and all three parts are None for a range or several numbers.
    """
    text = text[:LONGEST_VALUE]
    in_main_unit = CENTS.sub(_in_main_unit, text)
    figures = find_figure(PRICE, SIGN_AS_POINT.sub(r"\1,\2€", in_main_unit))
    if figures is None:
        return None, None, None
    start, end = figures
    sign = sign_of(start) or sign_of(end)
    price_end = (end or start).end()
    if end or (not sign and PRICE.search(in_main_unit, price_end)):
        return None, None, None
    code = currency(sign, dollar) if sign else None
    # A period behind the next number belongs to that number.
    before_next = text[:price_end] + DIGIT.split(text[price_end:], maxsplit=1)[0]
    words = RATE.findall(before_next.replace(".", "").casefold())
    periods = ((PERIODS if per else RATES).get(word) for per, word in words)
    return value_of(start), code, next(filter(None, periods), None)


def factor_of_amount(text: str) -> int:
    """Return the factor that the scale of a text's main amount stands for, such as
    100000 for "₹92.5 Lac".

    Return 1 for an amount without a scale, or if there is no number.
    """
    figures = find_figure(PRICE, text[:LONGEST_VALUE])
    scale = figures[0]["scale"] if figures else None
    return factor_of(scale) if scale else 1


def _in_main_unit(cents: re.Match[str]) -> str:
    """Return an amount in cents as an amount in the main unit: "£0.85" for "85p"."""
    return f"{'£' if cents[2] else ''}{int(cents[1]) / 100}"


def is_amount(text: str) -> bool:
    """Return whether a text is one amount of money and its currency, with no other
    words.

    For example, return True for "R$ 12,90" and "£9.00 GBP", and False for "from £9" and
    "£9 a day".
    """
    signs = list(filter(None, _NO_SIGN.split(text.upper())))
    is_money = bool(signs) and CURRENCIES.keys() >= set(signs)
    return is_money and money(text)[0] is not None


def whole_number(text: str) -> int | None:
    """Return the whole number in a text: 3 for "3 bedrooms" and "three", 0 for
    "Studio".

    Return None for a fraction, for a range, or if there is no number.
    """
    text = text[:LONGEST_VALUE]
    numeral, figures = NUMERAL.search(text), find_figure(PLAIN, text)
    if numeral and not (figures and figures[0].start() < numeral.start()):
        return (numeral.lastindex or 1) - 1
    if figures is None:
        return None
    start, end = figures
    value = value_of(start)
    return value if isinstance(value, int) and not end else None


def number(text: str) -> float | None:
    """Return the number in a text, such as 4.5 for "4.5 out of 5 stars".

    Return None for a range, or if there is no number.
    """
    text = text[:LONGEST_VALUE]
    figures = find_figure(PLAIN, text.replace(" 1/2", "½"))
    if figures is None or figures[1]:
        return None
    figure = figures[0]
    is_negative = re.fullmatch(SIGN, text[: figure.start()]) and text[0] != "+"
    return value_of(figure, ".") * (-1 if is_negative else 1)


def quantity(text: str) -> tuple[float | None, str | None]:
    """Return value and unit of a quantity, such as 1200 and "m²" for "1,200 sqm".

    The unit is None if it is unknown. Both are None for a range, and for a text without
    a number.
    """
    figures = find_figure(SIZE, text[:LONGEST_VALUE])
    if figures is None:
        return None, None
    start, end = figures
    if end:
        return None, None
    unit = unit_of(sign_of(start))
    return value_of(start, DECIMAL_SIGNS.get(unit or "", "")), unit
