"""Pages in the browser, served by this computer: the table on a screen, run by the real firmware on a virtual board.

`address`, `site`, `hosting`, `channel` and `audience` serve any page that is told what happens; `live` and what it uses
are the simulated table.
"""
