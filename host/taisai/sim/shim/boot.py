"""First file that the interpreter runs, `micropython -i boot.py BUS [raw]`; its globals become those of the prompt."""

import gc

gc.threshold(4096)  # else what the shim keeps is scattered over the heap that is the program's
import startup  # noqa: E402

del gc
startup.run(globals())
