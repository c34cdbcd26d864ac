"""The ways of getting files or images onto a board; each one says why it does not fit a target."""
