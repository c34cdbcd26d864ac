"""What wins and what it pays, written a second time from the rule texts alone.

Imports nothing of the product and reads no file: the zones, odds and triple rules below were copied from the rule
documents by hand, wager by wager, in the words of the text. The product is compared with this, never the other way
round. `winners(layout, dice)` gives {zone id: odds to 1, or None where the source states none}.

Sources: Division 9 (New Zealand, Department of Internal Affairs) rules 4.1 and 4.10; New Zealand Gazette 1994 page 3277
rule 3.1; the Korean rules sections 3-1 to 3-11. Where they are silent the decision is marked DECIDED.
"""

DIV9_TOTAL_ODDS = {
    4: 62, 17: 62,
    5: 31, 16: 31,
    6: 18, 15: 18,
    7: 12, 14: 12,
    8: 8, 13: 8,
    9: 7, 12: 7,
    10: 6, 11: 6,
}  # fmt: skip
KOREA_TOTAL_ODDS = {
    4: 50, 17: 50, 5: 30, 16: 30, 6: 18, 15: 18, 7: 12, 14: 12, 8: 8, 13: 8, 9: 6, 10: 6, 11: 6, 12: 6,
}  # fmt: skip

# "1 and 2, 3, 4, 5 or 6; 2 and 3, 4, 5 or 6; 3 and 4, 5 or 6; 4 and 5 or 6; 5 and 6"
DICE_COMBINATIONS = {1: "23456", 2: "3456", 3: "456", 4: "56", 5: "6"}
# "1,1 and 2,3,4,5 or 6; 2,2 and 1,3,4,5 or 6; ..."
TWO_ALIKE = {1: "23456", 2: "13456", 3: "12456", 4: "12356", 5: "12346", 6: "12345"}
# "1,2 and 3,4,5, or 6; 1,3 and 4,5 or 6; ... 2,5 and 6; ... 4,5 and 6"
THREE_DIFFERENT = {
    "12": "3456", "13": "456", "14": "56", "15": "6",
    "23": "456", "24": "56", "25": "6",
    "34": "56", "35": "6",
    "45": "6",
}  # fmt: skip
# "6, 5, 4, 3 or 6, 5, 3, 2 or 5, 4, 3, 2 or 4, 3, 2, 1"
FOUR_NUMBERS = ("6543", "6532", "5432", "4321")

DIV9 = {"triple": 180, "double": 11, "any triple": 31, "total": DIV9_TOTAL_ODDS, "combination": 6, "die": (1, 2, 12),
        "two alike": 60, "three different": 30, "four": 7, "even money": 1}  # fmt: skip
KOREA = {"triple": 150, "double": 8, "any triple": 24, "total": KOREA_TOTAL_ODDS, "combination": 5, "die": (1, 2, 3),
         "two alike": 50, "three different": 30, "four": 7, "even money": 1}  # fmt: skip
# The pages of the Gazette at hand state no odds.
GAZETTE = {"triple": None, "double": None, "any triple": None, "total": dict.fromkeys(range(4, 18)),
           "combination": None, "die": (None, None, None), "even money": None}  # fmt: skip

LAYOUTS = ("kr-daisai", "nz-div9-appendix1", "nz-div9-appendix2", "nz-gazette-1994")


def winners(layout: str, dice: tuple[int, int, int]) -> dict:
    """Winning zones of a throw and their odds on one of the four LAYOUTS."""
    if layout == "nz-div9-appendix1":
        return _small_big_division_9(dice) | _common(dice, DIV9)
    if layout == "nz-div9-appendix2":
        return _small_big_division_9(dice) | _odd_even_division_9(dice) | _common(dice, DIV9) | _alternative(dice, DIV9)
    if layout == "nz-gazette-1994":
        return _small_big_gazette(dice) | _common(dice, GAZETTE)
    if layout == "kr-daisai":
        return _even_money_korea(dice) | _common(dice, KOREA) | _alternative(dice, KOREA)
    raise KeyError(layout)


def all_zones(layout: str) -> set[str]:
    """Every betting area of a layout, listed from the rules and not from the throws."""
    zones = {"small", "big", "any-triple"}
    for number in (1, 2, 3, 4, 5, 6):
        zones |= {f"triple-{number}", f"double-{number}", f"single-{number}"}
    zones |= {f"total-{total}" for total in (4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17)}
    zones |= {f"pair-{low}-{high}" for low, highs in DICE_COMBINATIONS.items() for high in highs}
    if layout in ("nz-div9-appendix2", "kr-daisai"):
        zones |= {"odd", "even"}
        zones |= {_three_id(f"{two}{two}{one}") for two, ones in TWO_ALIKE.items() for one in ones}
        zones |= {_three_id(two + one) for two, ones in THREE_DIFFERENT.items() for one in ones}
        zones |= {_four_id(numbers) for numbers in FOUR_NUMBERS}
    return zones


def _small_big_division_9(dice) -> dict:
    """Small: totals 4 to 10 except triple 2 or triple 3. Big: totals 11 to 17 except triple 4 or triple 5."""
    won = {}
    if sum(dice) in (4, 5, 6, 7, 8, 9, 10) and dice not in ((2, 2, 2), (3, 3, 3)):
        won["small"] = 1
    if sum(dice) in (11, 12, 13, 14, 15, 16, 17) and dice not in ((4, 4, 4), (5, 5, 5)):
        won["big"] = 1
    return won


def _odd_even_division_9(dice) -> dict:
    """Odd: totals 5 to 17 except triple 3 or triple 5. Even: totals 4 to 16 except triple 2 or triple 4."""
    won = {}
    if sum(dice) in (5, 7, 9, 11, 13, 15, 17) and dice not in ((3, 3, 3), (5, 5, 5)):
        won["odd"] = 1
    if sum(dice) in (4, 6, 8, 10, 12, 14, 16) and dice not in ((2, 2, 2), (4, 4, 4)):
        won["even"] = 1
    return won


def _small_big_gazette(dice) -> dict:
    """DECIDED: the paragraphs are not in the pages at hand; both lose on any triple."""
    if dice[0] == dice[1] == dice[2]:
        return {}
    return {"small": None} if sum(dice) < 11 else {"big": None}


def _even_money_korea(dice) -> dict:
    """3-1: Big 11 to 17, Small 4 to 10. 3-2: Even or Odd by the sum. DECIDED: no triple is excluded beyond that."""
    won = {"even" if sum(dice) % 2 == 0 else "odd": KOREA["even money"]}
    if 4 <= sum(dice) <= 10:
        won["small"] = KOREA["even money"]
    if 11 <= sum(dice) <= 17:
        won["big"] = KOREA["even money"]
    return won


def _common(dice, odds) -> dict:
    """The wagers that all four layouts have, small and big aside."""
    won = {}
    for number in range(1, 7):
        shown = dice.count(number)
        if shown == 3:
            won[f"triple-{number}"] = odds["triple"]
            won["any-triple"] = odds["any triple"]
        # Division 9: "win if that double appears, and win once only if a triple of the same number appears".
        # DECIDED for the Gazette and Korea, which are silent on the triple: the same.
        if shown >= 2:
            won[f"double-{number}"] = odds["double"]
        if shown >= 1:
            won[f"single-{number}"] = odds["die"][shown - 1]
    if sum(dice) in odds["total"]:
        won[f"total-{sum(dice)}"] = odds["total"][sum(dice)]
    for low, highs in DICE_COMBINATIONS.items():
        for high in highs:
            if low in dice and int(high) in dice:
                won[f"pair-{low}-{high}"] = odds["combination"]
    return won


def _alternative(dice, odds) -> dict:
    """The wagers of the alternative layout: three dice combinations and four number combinations."""
    won = {}
    shown = "".join(sorted(map(str, dice)))
    for two, ones in TWO_ALIKE.items():
        for one in ones:
            if shown == "".join(sorted(f"{two}{two}{one}")):
                won[_three_id(shown)] = odds["two alike"]
    for two, ones in THREE_DIFFERENT.items():
        for one in ones:
            if shown == two + one:
                won[_three_id(shown)] = odds["three different"]
    for numbers in FOUR_NUMBERS:
        # "win if the three dice show 3 of the 4 of those numbers": one of the four is missing, each other is shown.
        if any(shown == "".join(sorted(numbers.replace(missing, ""))) for missing in numbers):
            won[_four_id(numbers)] = odds["four"]
    return won


def _three_id(digits: str) -> str:
    return "three-" + "-".join(sorted(digits))


def _four_id(numbers: str) -> str:
    return "four-" + "-".join(sorted(numbers))
