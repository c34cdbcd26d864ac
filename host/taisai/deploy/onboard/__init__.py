"""MicroPython programs that the PC sends to a board's raw REPL. They run only there, and leave no file behind."""
