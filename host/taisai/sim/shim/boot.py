"""First file that the interpreter runs, `micropython -i boot.py BUS [raw]`; its globals become those of the prompt."""

import startup

startup.run(globals())
