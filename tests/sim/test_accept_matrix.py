"""Every fault of the bench and every unit that is not what it should be: the right step fails and names the right part.

A run stops at its first failure, so that no other part can be blamed. The whole matrix runs under `make soak`; of the
ordinary run it is a seeded part. It is printed as a table.
"""

import random

import accept_cheats
import pytest
from accept_bench import accept

PLAIN, SENSED, ESP32 = "nz1-pico-hc595", "nz2-pico-tpic6b595", "nz1-esp32-tpic6b595"

# (table, fault word or kind of unit, step, what its part must say)
CASES = [
    *((table, f"{fault}:{zone}", "lamps", f"lamp of {zone}")
      for table, zone in ((PLAIN, "small"), (SENSED, "pair-1-2"), (ESP32, "total-10"))
      for fault in ("open", "short", "off", "on")
      if (table, fault) != (SENSED, "on")),
    (SENSED, "on:pair-1-2", "self-test", "lamp of pair-1-2"),  # the unit finds the current by itself
    *((table, word, "self-test", "lamp chain")
      for table in (PLAIN, SENSED) for word in ("stuck:5:0", "stuck:5:1", "cut:0", "cut:2", "cut:3:1", "cut:4:noise")),
    *((table, "supply", "lamps", "lamp supply") for table in (PLAIN, SENSED)),
    *((PLAIN, f"key:{key}", "self-test", f"key {number} stuck") for key, number in (("1", 1), ("6", 6), ("E", 7))),
    *((PLAIN, f"slow:{key}", "keys", name) for key, name in (("4", "key 4"), ("E", "ENTRY"))),
    *((PLAIN, f"switch:{level}", "key-switch", "key-switch") for level in "01"),
    *((table, f"segment:{digit}:{segment}", "display", f"{place} digit")
      for table, digit, segment, place in (
          (PLAIN, 1, "b", "left"), (SENSED, 2, "g", "middle"), (ESP32, 3, "a", "right"), (PLAIN, 3, "e", "right"))),
    *((table, "display", step, "display") for table, step in ((PLAIN, "display"), (ESP32, "self-test"))),
    (PLAIN, "beeper", "beeper", "beeper"),
    (PLAIN, "flash", "self-test", "journal cannot be written"),
    (SENSED, "sense:80", "lamps", "current sense"),
    (SENSED, "sense:120", "lamps", "current sense"),
    (PLAIN, "wrong firmware file", "files", "firmware file"),
    (PLAIN, "altered table", "files", "lamp table"),
    (PLAIN, "wrong layout", "identify", "table"),
    (PLAIN, "answers without latching", "throws", "latch"),
]  # fmt: skip

UNITS = {
    "wrong firmware file": accept_cheats.wrong_firmware_file,
    "altered table": accept_cheats.altered_table,
    "wrong layout": accept_cheats.wrong_layout,
}
IN_CI = 5


def run(folder, table, fault):
    if fault == "answers without latching":
        files, bundle = accept_cheats.cheating()
        return accept(folder, table, files=files, bundle=bundle)
    if fault in UNITS:
        from taisai.boards.table import load_table
        from taisai.build.bundle import build_bundle

        return accept(folder, table, files=UNITS[fault](), bundle=build_bundle(load_table(table)))
    return accept(folder, table, faults=[fault])


@pytest.mark.soak
def test_the_right_step_fails_and_names_the_right_part(campaign, tmp_path, capsys):
    count = max(IN_CI, campaign(len(CASES)))
    chosen = CASES if count == len(CASES) else random.Random(5).sample(CASES, IN_CI)
    wrong = []
    with capsys.disabled():
        print(f"\n{'table':22}{'fault':26}{'step':12}part")
    for number, (table, fault, step, part) in enumerate(chosen):
        seen = run(tmp_path / str(number), table, fault)
        found = seen.failed or ("-", "-")
        good = found[0] == step and part in (found[1] or "") and seen.record.outcome == "FAIL" and seen.exit == 1
        with capsys.disabled():
            print(
                f"{table:22}{fault:26}{found[0]:12}{found[1]}{'' if good else '   WRONG, wanted ' + step + ', ' + part}"
            )
        if not good:
            wrong.append((table, fault, found, seen.record.headline))
    assert wrong == []
