"""Read currencies: signs, codes and words, as they stand beside amounts of money."""

import re
from collections.abc import Iterable
from typing import Final


def name_by_word(rows: str) -> dict[str, str]:
    """Return the name for each word: {"mo": "month", "mth": "month"} for
    "month=mo,mth".
    """
    pairs = (row.split("=") for row in rows.split())
    return {word: name for name, words in pairs for word in words.split(",")}


CURRENCY_CODES: Final = (
    "AED ARS AUD AZN BAM BDT BGN BHD BRL BYN CAD CHF CLP CNY COP CRC CZK DKK DZD EGP "
    "EUR GBP GHS GTQ HKD HUF IDR ILS INR IRR ISK JOD JPY KES KRW KWD KZT LKR MAD MKD "
    "MXN MYR NGN NOK NPR NZD OMR PEN PHP PKR PLN PYG QAR RON RSD RUB SAR SEK SGD THB "
    "TND TRY TWD TZS UAH UGX USD UYU UZS VND XAF XOF ZAR"
)
DOLLAR: Final = "$"
# A sign of several currencies stands for the most usual one, but kr, Rs and FCFA for
# none.
CURRENCY_SIGNS: Final = name_by_word(
    "USD=$,US$ AUD=A$,AU$ BRL=R$ CAD=C$,CA$ HKD=HK$ MXN=MX$ NZD=NZ$ SGD=S$ TWD=NT$ "
    "EUR=€,EURO,EUROS GBP=£,￡ JPY=¥,￥,円 AED=DHS AMD=֏ AZN=₼ BAM=KM BDT=৳ BGN=ЛВ "
    "CHF=SFR CNY=元,RMB CRC=₡,¢ CZK=KČ GEL=₾ GHS=₵,GH₵ HUF=FT IDR=RP ILS=₪,NIS INR=₹ "
    "KES=KSH KRW=₩,원 KZT=₸ MYR=RM NGN=₦ PEN=S/,S/. PHP=₱ PLN=ZŁ PYG=₲ RON=LEI "
    "RUB=₽,РУБ,РУБЛЕЙ,РУБЛЯ,РУБЛЬ THB=฿ "
    "TRY=₺,TL UAH=₴,ГРН VND=₫ ZAR=R =KR,RS,₨,CFA,FCFA"
) | {sign: code for code in CURRENCY_CODES.split() for sign in (code, f"{code}$")}
# Words for currencies, which stand behind an amount only: "Half dollar 1964" is a coin.
# The words for pesos, francs, rupees and the like stand for several currencies.
CURRENCY_WORDS: Final = name_by_word(
    "USD=DOLLAR,DOLLARS,DOLLARI,DOLLÁR,DOLAR,DOLARA,DOLARI,DOLARES,DOLARÓW,DOLARŮ "
    "USD=DOLARY,DÓLAR,DÓLARES,ДОЛЛАР,ДОЛЛАРА,ДОЛЛАРОВ,ДОЛАР,ДОЛАРА,ДОЛАРИ,ДОЛАРІВ "
    "USD=ΔΟΛΆΡΙΑ EUR=EURA,EURÓ,EUROA,EUROT,EURŲ,EURY,EIRO,EVRA,EVRO,EVROV,ΕΥΡΏ,ΕΥΡΩ "
    "EUR=ЕВРО,ЄВРО,ЕВРА AED=د.إ BGN=ЛЕВА BRL=REAIS CHF=FRANKEN CNY=YUAN EGP=ج.م "
    "CZK=KORUN,KORUNY HUF=FORINT IDR=RUPIAH IRR=ریال JPY=YEN KWD=د.ك KZT=ТЕНГЕ,ТГ "
    "MYR=RINGGIT PEN=SOLES PLN=ZŁOTYCH,ZŁOTE,ZŁOTY RSD=DINARA,ДИНАРА SAR=ر.س "
    "SEK=KRONOR THB=BAHT,บาท TRY=LIRA UAH=ГРИВЕНЬ,ГРИВЕН,ГРИВНІ,ГРИВНЯ "
    'VND=Đ,ĐỒNG,VNĐ ILS=שקל,שקלים,ש"ח,ש״ח '
    "=KRONER,PESOS,FRANCS,RUPEES,РУПИЙ,DINARS,تومان,ريال,درهم,دينار,جنيه"
)
CURRENCIES: Final = CURRENCY_SIGNS | CURRENCY_WORDS
# The words for dollars of any country.
_DOLLARS: Final = {
    DOLLAR,
    *(word for word, code in CURRENCY_WORDS.items() if code == "USD"),
}


def any_of_words(words: Iterable[str]) -> str:
    """Return a regular expression that matches any of the words, the longest if
    possible.
    """
    rests: dict[str, list[str]] = {}
    for word in sorted(words, key=lambda word: (-len(word), word)):
        rests.setdefault(word[0], []).append(re.escape(word[1:]))
    return "|".join(
        f"{re.escape(letter)}(?:{'|'.join(ends)})" for letter, ends in rests.items()
    )


def shows_dollar(text: str) -> bool:
    """Return whether a text has "$" or a word for the dollar of some country."""
    folded = text.upper()
    return any(sign in folded for sign in _DOLLARS)


def currency(text: str, dollar: str = CURRENCIES[DOLLAR]) -> str | None:
    """Return the ISO 4217 code of a currency, such as "EUR" for "€", or None if it is
    unknown.

    For "$" and "dollars", return `dollar`, or None if `dollar` is "".
    """
    sign = text.replace(" ", "").upper()
    if sign in _DOLLARS:
        return dollar or None
    is_code = len(sign) == 3 and sign.isascii() and sign.isalpha()
    return CURRENCIES.get(sign) or (
        sign if is_code and sign not in CURRENCIES else None
    )
