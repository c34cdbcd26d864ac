"""Run every test function of this folder under MicroPython: `.venv/bin/micropython tests/core/run_micropython.py`.

Prints one line for each failure and at the end how many passed and failed; exit code 1 when any failed or none ran.
"""

import os
import sys

here = sys.argv[0].rpartition("/")[0] or "."
sys.path.insert(0, here)
sys.path.insert(0, here + "/../../firmware")

passed = 0
failed = 0
for file in sorted(os.listdir(here)):
    if not file.startswith("test_") or not file.endswith(".py") or file == "test_under_micropython.py":
        continue
    module = __import__(file[:-3])
    for name in sorted(dir(module)):
        if name.startswith("test_"):
            try:
                getattr(module, name)()
                passed += 1
            except Exception as error:
                print("FAILED", file, name)
                sys.print_exception(error)
                failed += 1
print(passed, "passed,", failed, "failed")
sys.exit(1 if failed or not passed else 0)
