"""Random scripts for random_events.py, and the shortest part of one that still goes wrong."""

from random import Random

import rule_evaluator
from design_views import NO_POINTS, ZONE_MS, Cloth
from random_events import Difference, Run

from taisai.boards.table import Table
from taisai.build.application import application_files

KINDS = ("small", "big", "odd", "even", "any-triple", "single", "double", "triple", "total", "pair", "three", "four")
THROWS = [(a, b, c) for a in range(1, 7) for b in range(1, 7) for c in range(1, 7)]
# What a person reads where the firmware writes these letters: seven segments have nothing better.
READ_AS = str.maketrans("acefhiklmnpstvxz", "ACEFH1HLnnP5tuH2")


def canonical(zone: str) -> tuple:
    """Place of a zone in the order in which the design lists them."""
    kind = zone if zone in KINDS else zone.partition("-")[0]
    return KINDS.index(kind), [int(part) for part in zone.split("-") if part.isdigit()]


def cloth_of(table: Table, version: str) -> Cloth:
    """The printed layout, from the rules; of the table only its wiring and its supply."""
    zones = sorted(rule_evaluator.all_zones(table.layout.id), key=canonical)
    wins = {"".join(map(str, dice)): frozenset(rule_evaluator.winners(table.layout.id, dice)) for dice in THROWS}
    groups, room = [], 0
    for zone in zones:
        lamps = len(table.harness[zone])
        if lamps > room:
            groups.append([])
            room = int(table.lamps.group_milliamp / table.lamps.milliamp)
        groups[-1].append(zone)
        room -= lamps
    digest = application_files(table)["/app-1/table.bin"][44:47].hex()
    numbers = version.split(".")
    pages = [("".join(numbers), (True, True, False))]
    for text in (table.layout.id, digest):
        text = text.translate(READ_AS)
        pages += [(text[at : at + 3].ljust(3), NO_POINTS) for at in range(0, len(text), 3)]
    return Cloth(zones, wins, groups, pages)


def words(rng: Random, count: int, cloth: Cloth, registers: int) -> list[str]:
    """A random script. Games are played, more often than not; the rest happens at any moment."""
    sweep = f"w{ZONE_MS * len(cloth.zones) + 1000}"
    on = broken = False
    script = []
    while len(script) < count:
        pick = rng.random()
        if pick < 0.48:
            script.append(rng.choice("123456"))
        elif pick < 0.64:
            script.append("E")
        elif pick < 0.71:
            script.append("E!")
        elif pick < 0.77:
            script.append(rng.choice("123456") + "!")
        elif pick < 0.85:
            on = not on
            script.append("S+" if on else "S-")
        elif pick < 0.87:
            script.append("".join(rng.sample("123456E", 2)))
        elif pick < 0.91:
            script.append("?")
        elif pick < 0.965:
            script.append(f"w{rng.choice((10, 100, 300, 1200, 3000))}")
        elif pick < 0.97:
            script.append("w11000")
        elif pick < 0.972:
            script += ["S+", "E!", sweep, *rng.choices("123456", k=3), "E", "E!"]
            on = True
        elif pick < 0.975:
            script.append(rng.choice("123456E") + "~")
        elif pick < 0.983:
            script += ["mend"] * broken
            broken = False
            inner = rng.choice(("E", "E", "E!", "1!", "3", "S-"))
            script.append(f"x{rng.randint(0, 1700 if '!' in inner else 130)}:{inner}")
            on = on and inner != "S-"
        elif pick < 0.986:
            script += ["mend"] * broken
            broken = False
            script.append(rng.choice("PR"))
        elif broken:
            script.append("mend")
            broken = False
        else:
            script.append(f"cut:{rng.randint(0, registers)}:{rng.randint(0, 1)}")
            broken = True
    return script[:count]


def first_difference(table: Table, cloth: Cloth, seed: int, opening_test: bool, script: list) -> tuple | None:
    """(place, text) of the first word that goes wrong, None when none does."""
    run = Run(table, cloth, seed, opening_test)
    try:
        for place, word in enumerate(script):
            try:
                run.play(word)
            except Difference as difference:
                return place, str(difference)
    finally:
        run.close()
    return None


def shrink(table: Table, cloth: Cloth, seed: int, opening_test: bool, script: list, tries: int = 60) -> tuple:
    """A shorter script that goes wrong too, and how: pieces are left out as long as something still goes wrong."""
    place, text = first_difference(table, cloth, seed, opening_test, script)
    script = script[: place + 1]
    size = len(script) // 2
    while size and tries:
        at = 0
        while at < len(script) and tries:
            shorter = script[:at] + script[at + size :]
            tries -= 1
            found = first_difference(table, cloth, seed, opening_test, shorter)
            if found is None:
                at += size
            else:
                script, text = shorter[: found[0] + 1], found[1]
        size //= 2
    return script, text
