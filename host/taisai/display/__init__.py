"""The game results display of Division 9 rule 3.4: what a table has recorded, for the players to see.

It only reads, over the link, as any other reader; rule 7.5 leaves nobody relying on it, and the table does not know it.
"""
