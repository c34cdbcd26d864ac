"""A site whose table has gone: nothing is served any more, the page says so, and the command with its code."""

import re
import subprocess
import sys

from pageless import Page
from served import Served

# The command with a defect in it: `broken` fails as soon as it is used.
DEFECT = """
import sys
from taisai.cli import main
from {module} import {owner}
def broken(*_):
    raise RuntimeError("a defect for this test")
{owner}.{broken} = broken
sys.exit(main({words}))
"""


class Defective(Served):
    def __init__(self, module, owner, broken, *words):
        code = DEFECT.format(module=module, owner=owner, broken=broken, words=[*words, "--address", "127.0.0.1:0"])
        self.process = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True)
        self.url = re.search(r"http://\S+", self.process.stderr.readline())[0]
        self.socket = self.url.replace("http", "ws") + "table"

    def ends(self):
        """By itself; its exit code and what it said."""
        try:
            said = self.process.communicate(timeout=30)[1]
            return self.process.returncode, said
        finally:
            self.process.kill()


def test_a_defect_of_the_bench_ends_the_page_and_the_command():
    served = Defective("taisai.web.bench", "Bench", "do", "simulate", "--web")
    page = Page(served.socket)
    page.wait_ready()
    page.send({"do": "reset"})
    assert "The simulation has ended" in page.wait(lambda told: "ended" in told)["ended"]["text"]
    page.close()
    code, said = served.ends()
    assert code == 2 and "a defect for this test" in said and "this is a defect of taisai, not of the unit" in said


def test_a_defect_of_the_display_ends_it():
    served = Defective("taisai.display.reading", "LastGames", "update", "display", "--port", "sim:nz1-pico-hc595")
    code, said = served.ends()
    assert code == 2 and "a defect for this test" in said and "this is a defect of taisai, not of the unit" in said
