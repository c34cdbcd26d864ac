"""Which way the folders may look: every rule about imports and file form, checked on the syntax tree.

`violations(root)` returns one line per broken rule, `path:line: what`. tests/test_architecture.py runs it on this
repository and proves that each rule can fail.
"""

import ast
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

MAX_LINES = 350

CHECKED_FOLDERS = ("firmware", "host", "tests")

# What the pure logic may import: itself, and what CPython and MicroPython both have without an operating system.
CORE_MODULES = {"tablecore", "hashlib", "binascii", "struct", "json", "collections", "micropython"}
# The one file of it that looks after the memory of the modules themselves.
CORE_MEMORY = "modules.py"
# Names that would let the pure logic reach the outside world or import past this check.
CORE_FORBIDDEN_NAMES = {"print", "input", "open", "exec", "eval", "__import__"}

DRIVER_MODULES = {
    "machine", "micropython", "tablecore", "tablehw",
    "array", "binascii", "errno", "gc", "hashlib", "json", "os", "rp2", "select", "struct", "sys", "time",
}  # fmt: skip
# What drivers know of the pure logic: the proof that the lamp chain carries out, how often keys are read, how dates are
# counted. They decide nothing, so they must not know who decides.
DRIVER_CORE = ("tablecore.calendar", "tablecore.chain", "tablecore.keys")

POSIX_ONLY = {"termios", "fcntl", "pty", "tty"}

# The one thing of the firmware that a script of the simulator knows: how to ask it for its state.
LINK_PROTOCOL = "tablecore.framing"

# Parts of the host package -> the other parts they may import. A part not named here may import nothing of the package.
# No two of them may import each other, were it over others.
HOST_ARROWS = {
    "taisai": set(),
    "taisai.errors": set(),
    "taisai.paths": {"taisai.errors"},
    "taisai.boards": {"taisai.errors", "taisai.paths", "taisai.rules"},
    "taisai.rules": set(),
    "taisai.build": {"taisai.boards", "taisai.errors", "taisai.paths", "taisai.rules"},
    "taisai.drawing": {"taisai.boards", "taisai.rules"},
    "taisai.sim": {"taisai.boards", "taisai.build", "taisai.errors"},
    "taisai.client": {"taisai.boards", "taisai.errors", "taisai.sim"},
    "taisai.deploy": {"taisai.boards", "taisai.build", "taisai.client", "taisai.errors", "taisai.journal"},
    "taisai.journal": {"taisai.build", "taisai.client", "taisai.errors"},
    "taisai.records": {"taisai.boards", "taisai.build", "taisai.drawing", "taisai.errors", "taisai.journal"},
    "taisai.accept": {
        "taisai.boards", "taisai.build", "taisai.client", "taisai.deploy", "taisai.errors", "taisai.journal",
        "taisai.records", "taisai.rules", "taisai.sim",
    },
    "taisai.display": {
        "taisai.boards", "taisai.client", "taisai.drawing", "taisai.errors", "taisai.journal", "taisai.rules",
        "taisai.web",
    },
    "taisai.web": {
        "taisai.boards", "taisai.client", "taisai.drawing", "taisai.errors", "taisai.journal", "taisai.rules",
        "taisai.sim",
    },
    "taisai.streams": {"taisai.errors"},
    "taisai.start": {"taisai.cli", "taisai.errors", "taisai.streams"},
    "taisai.cli": {
        "taisai", "taisai.accept", "taisai.boards", "taisai.build", "taisai.client", "taisai.deploy", "taisai.display",
        "taisai.drawing", "taisai.errors", "taisai.journal", "taisai.paths", "taisai.records", "taisai.rules",
        "taisai.sim", "taisai.streams", "taisai.web",
    },
}  # fmt: skip


def sources(root: Path) -> list[Path]:
    """Every Python file of the product and its tests, relative to the root."""
    found = [path.relative_to(root) for folder in CHECKED_FOLDERS for path in (root / folder).rglob("*.py")]
    return sorted(path for path in found if "__pycache__" not in path.parts)


@cache
def _parse(source: str) -> ast.Module:
    return ast.parse(source)


def _package_of(path: Path) -> list[str]:
    """The dotted package that a relative import in this file starts from."""
    parts = list(path.parent.parts)
    for prefix in (["host"], ["firmware"]):
        if parts[: len(prefix)] == prefix:
            return parts[len(prefix) :]
    return parts


@cache
def imports(path: Path, source: str) -> list[tuple[str, int]]:
    """Every module that a file imports, at any depth, by statement or by a constant name, with its line.

    `from a import b` yields `a` and `a.b`, because b may be a module.
    """
    found = []
    for node in ast.walk(_parse(source)):
        if isinstance(node, ast.Import):
            found += [(alias.name, node.lineno) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module.split(".") if node.module else []
            if node.level:
                package = _package_of(path)
                base = package[: len(package) - node.level + 1] + base
            found.append((".".join(base), node.lineno))
            found += [(".".join([*base, alias.name]), node.lineno) for alias in node.names]
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called in ("__import__", "import_module") and isinstance(node.args[0].value, str):
                found.append((node.args[0].value, node.lineno))
    return found


def _within(module: str, *packages: str) -> bool:
    return any(module == package or module.startswith(package + ".") for package in packages)


def _top(module: str) -> str:
    return module.partition(".")[0]


def _host_part(module: str) -> str:
    """taisai.boards.layout -> taisai.boards; names defined in the package itself (version) -> taisai."""
    parts = module.split(".")
    part = ".".join(parts[:2])
    return part if part in HOST_ARROWS else "taisai"


def _check_core(path: Path, source: str):
    for module, line in imports(path, source):
        if _top(module) not in CORE_MODULES and not (path.name == CORE_MEMORY and _top(module) in ("gc", "sys")):
            yield line, f"tablecore is pure and may not import {module}"
    for node in ast.walk(_parse(source)):
        if isinstance(node, ast.Name) and node.id in CORE_FORBIDDEN_NAMES:
            yield node.lineno, f"tablecore is pure and may not use {node.id}"


def _check_drivers(path: Path, source: str):
    for module, line in imports(path, source):
        if _top(module) not in DRIVER_MODULES:
            yield line, f"tablehw may not import {module}"
        if module != "tablecore" and _top(module) == "tablecore" and not _within(module, *DRIVER_CORE):
            yield line, f"drivers decide nothing: tablehw may not import {module}"


def _check_firmware(path: Path, source: str):
    """The whole firmware: machine belongs to the drivers, and one file alone joins drivers and logic."""
    modules = imports(path, source)
    in_drivers = "tablehw" in path.parts
    for module, line in modules:
        if _top(module) == "machine" and not in_drivers:
            yield line, "only tablehw may import machine"
        if _top(module) == "taisai":
            yield line, f"the firmware may not import the host's {module}"
        if _top(module) == "tablehw" and not in_drivers and path.name != "assembly.py":
            yield line, "only assembly.py may import tablehw"
        if path.name == "main.py" and _top(module) in ("tablecore", "tablehw"):
            yield line, f"the loader knows wiring alone and may not import {module}"


def _check_host(path: Path, source: str):
    own = _host_part(".".join(path.with_suffix("").parts[1:]))
    on_board = path.parts[:4] in (("host", "taisai", "sim", "shim"), ("host", "taisai", "deploy", "onboard"))
    in_sim = path.parts[:3] == ("host", "taisai", "sim")
    speaks_to_firmware = path.as_posix() == "host/taisai/sim/script.py"
    live = path.parts[:3] == ("host", "taisai", "cli") and path.name.startswith("live")
    for module, line in imports(path, source):
        if _top(module) in ("tablehw", "assembly", "wiring", "main"):
            yield line, f"the host may look at tablecore alone, not at {module}"
        if _top(module) == "machine" and not on_board:
            yield line, "only tablehw may import machine"
        if _top(module) in POSIX_ONLY and not (in_sim or live):
            yield line, f"{module} is absent on Windows: only taisai.sim and the live terminal may import it"
        asks_firmware = speaks_to_firmware and (module == "tablecore" or _within(module, LINK_PROTOCOL))
        if in_sim and _top(module) == "tablecore" and not asks_firmware:
            yield line, f"the bench models the parts, not the firmware: it may not import {module}"
        if _top(module) == "taisai":
            other = _host_part(module)
            if other != own and other not in HOST_ARROWS[own]:
                yield line, f"{own} may not import {module}"
    if own == "taisai.cli" and not live:
        for module, line in _module_level_imports(path, source):
            if _within(module, "taisai.sim"):
                yield line, "a base install has no simulator: import taisai.sim inside the function that needs it"


def _module_level_imports(path: Path, source: str) -> list[tuple[str, int]]:
    """Imports that run when the module is imported (those inside functions do not)."""
    functions = [node for node in ast.walk(_parse(source)) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    inside = {line for node in functions for line in range(node.lineno, node.end_lineno + 1)}
    return [(module, line) for module, line in imports(path, source) if line not in inside]


def _check_everywhere(path: Path, source: str):
    lines = source.count("\n")
    if lines > MAX_LINES:
        yield lines, f"{lines} lines, more than {MAX_LINES}: split the file along its jobs"
    for node in ast.walk(_parse(source)):
        if isinstance(node, ast.ExceptHandler) and node.type is None:
            yield node.lineno, "a bare except hides real errors: name the exception"
    if path.parts[0] != "tests":
        for module, line in imports(path, source):
            if _top(module) == "tests":
                yield line, "nothing may import tests"


def _rules_for(path: Path):
    yield _check_everywhere
    if path.parts[0] == "firmware":
        yield _check_firmware
        if "tablecore" in path.parts:
            yield _check_core
        if "tablehw" in path.parts:
            yield _check_drivers
    if path.parts[0] == "host":
        yield _check_host


@cache
def _broken(path: Path, source: str) -> list[str]:
    return [f"{path.as_posix()}:{line}: {text}" for rule in _rules_for(path) for line, text in rule(path, source)]


def _circle(files: dict[Path, str]) -> list[str]:
    """Modules of the product that import each other, were it only for the names of types: none can be read alone."""
    modules = {}
    for path in files:
        if path.parts[0] in ("firmware", "host"):
            name = ".".join(path.with_suffix("").parts[1:])
            modules[name.removesuffix(".__init__")] = path
    graph = {}
    for name, path in modules.items():
        found = {module for module, _ in _module_level_imports(path, files[path]) if module in modules}
        # A package that a module is taken from is not what was meant.
        graph[name] = {module for module in found if not any(other.startswith(f"{module}.") for other in found)}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        circle = error.args[1]
        return [f"{modules[circle[0]].as_posix()}:1: imports in a circle: {', '.join(reversed(circle))}"]
    return []


def violations(root: Path) -> list[str]:
    """Every broken rule of the tree at root, in file order, and the first circle of imports."""
    files = {path: (root / path).read_text(encoding="utf-8") for path in sources(root)}
    found = [text for path, source in files.items() for text in _broken(path, source)]
    found += _circle(files)
    for path in sorted((root / "boards").rglob("*.py")):
        found.append(f"{path.relative_to(root).as_posix()}:1: board data are data: no Python there")
    return found
