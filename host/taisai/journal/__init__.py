"""A table's journal on the PC: read from the board, exported with a signed hash chain, verified."""
