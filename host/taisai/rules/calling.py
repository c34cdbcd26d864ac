"""The call of a result, as the dealer announces it before keying it in."""

from collections.abc import Sequence

from taisai.rules.dice import sorted_throw, triple_of

LANGUAGES = ("en", "ko")


def call(dice: Sequence[int], language: str = "en") -> str:
    """The result in words: the values from the lowest to the highest, then the total; dice in any order.

    "en" is the form of Division 9 rule 6.3 (and 6A.9): "1, 3, 6, Total 10", "double 3, 4, Total 10",
    "triple 5, Total 15". "ko" follows section 4-1 of the Korean rules, which asks the dealer to announce the value of
    each of the three dice and gives no form for doubles and triples; the total is added in the rule's own words.
    ValueError for anything but three numbers from 1 to 6, or for another language.
    """
    throw = sorted_throw(dice)
    if language == "ko":
        return f"{', '.join(map(str, throw))}, 주사위의 합 {sum(throw)}"
    if language != "en":
        raise ValueError(f"no call in the language {language!r}: use one of {', '.join(LANGUAGES)}")
    return f"{', '.join(_english_parts(throw))}, Total {sum(throw)}"


def _english_parts(throw: tuple[int, int, int]) -> list[str]:
    low, middle, high = throw
    if triple_of(throw):
        return [f"triple {low}"]
    if low == middle:
        return [f"double {low}", str(high)]
    if middle == high:
        return [str(low), f"double {high}"]
    return [str(low), str(middle), str(high)]
