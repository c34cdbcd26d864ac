"""The modules in memory: dropped when they have done their work, and put in an order that the collector gets on with.

MicroPython's collector marks what is in use depth first, with a stack of 64 places (py/gc.c). A place too few, and it
looks through the whole heap again, which doubles its time. That always happened, since `sys.modules` alone fills the
stack. But the collector begins with the globals of the function that calls it: here that is a chain of all modules,
each behind what it imports, and 45 places are enough. On an emulated RP2040 a collection then takes 11 ms and not 20.
"""

import gc
import sys

_chain = None  # (the rest of the chain, a module)


def forget(*names):
    """Drop modules that have done their work. Nothing may refer to them or to what they define any more.

    The next collection frees them; what imports one of them again gets a fresh one.
    """
    for name in names:
        sys.modules.pop(name, None)
        package, _, name = name.rpartition(".")
        package = sys.modules.get(package)
        if package is not None and hasattr(package, name):
            delattr(package, name)
    if _chain:
        arrange()


def drop(*names):
    """Forget modules of this package, named without it: a name that is one word takes a board a third of the memory."""
    forget(*["tablecore." + name for name in names])


def arrange():
    """Put all modules that are loaded into the chain. Those that were loaded last import none of the others: they lie
    highest in memory, and come first."""
    global _chain
    _chain = None
    for module in sorted(sys.modules.values(), key=id):
        _chain = (_chain, module)


def settle():
    """What was loaded lies close together by now. From here on garbage is collected where the main loop decides, and no
    longer after so many bytes, as the loader has it.
    """
    gc.threshold(-1)
    arrange()
    collect()


def free():
    """Bytes of heap that nothing uses."""
    gc.collect()
    return gc.mem_free()


def collect():
    """Collect the garbage. To be called instead of gc.collect once everything is loaded and arranged."""
    gc.collect()


def left():
    """Bytes of heap that are free now; garbage is not among them."""
    return gc.mem_free()
