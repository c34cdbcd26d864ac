"""Private constants of a module put where they are used, so that a board keeps neither their names nor their places.

MicroPython's compiler does that with what is written `_NAME = const(value)`. The firmware's sources are plain Python,
which the PC runs too and where `const` does not exist; so it is added here, on the line where it belongs. Each saves a
board some 30 bytes of memory.
"""

import ast

_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.BitOr, ast.BitAnd, ast.LShift)


def fold(source: bytes) -> bytes:
    """The source with `const` around the value of each private constant: a number, a text or bytes, and what is worked
    out from other private constants. One whose name is ever given another value is left alone."""
    tree = ast.parse(source)
    candidates = {}
    for node in tree.body:
        name = _private(node)
        if name and _is_constant(node.value, candidates) and node.value.lineno == node.value.end_lineno:
            candidates[name] = node.value
    for name in _changed(tree):
        candidates.pop(name, None)
    lines = source.splitlines(keepends=True)
    for value in candidates.values():
        line = lines[value.lineno - 1]
        start, end = value.col_offset, value.end_col_offset
        lines[value.lineno - 1] = line[:start] + b"const(" + line[start:end] + b")" + line[end:]
    return b"".join(lines)


def _private(node: ast.stmt) -> str | None:
    """The name that the statement gives a value to, when it is one private name."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
        name = node.targets[0].id
        if name.startswith("_") and not name.startswith("__"):
            return name
    return None


def _is_constant(value: ast.expr, known: dict[str, ast.expr]) -> bool:
    match value:
        case ast.Constant():
            return type(value.value) in (int, str, bytes)
        case ast.Name():
            return value.id in known
        case ast.UnaryOp():
            return _is_constant(value.operand, known)
        case ast.BinOp() if isinstance(value.op, _OPERATORS):
            return all(_is_number(side, known) for side in (value.left, value.right))
    return False


def _is_number(value: ast.expr, known: dict[str, ast.expr]) -> bool:
    if isinstance(value, ast.Name) and value.id in known:
        value = known[value.id]
    if isinstance(value, ast.Constant):
        return type(value.value) is int
    return _is_constant(value, known)


def _changed(tree: ast.Module) -> set[str]:
    """Names that get a value more than once, or in a function that declares them global."""
    seen: set[str] = set()
    changed: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
            (changed if node.id in seen else seen).add(node.id)
        elif isinstance(node, ast.Global):
            changed.update(node.names)
        elif isinstance(node, ast.arg):
            changed.add(node.arg)
    return changed
