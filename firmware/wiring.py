"""What the loader starts: has the table put together, and runs it.

assembly.py, which puts it together, and what only it needs are dropped when they have done their work: the main loop is
entered from here, where nothing refers to them any more.
"""

from tablecore import modules


def run(folder):
    """Run the table whose files lie in `folder`. Returns only by an exception; the lamps then stay as latched."""
    from assembly import assemble

    loop = assemble(folder)
    del assemble
    modules.forget("assembly", "tablecore.tablefile", "tablehw.cause")
    loop.run()
