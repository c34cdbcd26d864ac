"""Private constants are put where they are used, and nothing else changes: what the deployed modules do, and where."""

import ast

import pytest

from taisai.build.application import modules
from taisai.build.fold import fold
from taisai.build.mpy import compile_module
from taisai.paths import firmware_dir


@pytest.mark.parametrize(
    "line, folded",
    [
        ("_A = 5", "_A = const(5)"),
        ("_A = -0x40  # why", "_A = const(-0x40)  # why"),
        ('_A = "text"', '_A = const("text")'),
        ('_A = b"\\x00"', '_A = const(b"\\x00")'),
        ("_A = 1 << 4 | 3", "_A = const(1 << 4 | 3)"),
        ("_B = 2\n_A = _B * 3", "_B = const(2)\n_A = const(_B * 3)"),
        ("A = 5", None),
        ("_A = (1, 2)", None),
        ("_A = 1.5", None),
        ("_A = None", None),
        ("_A = True", None),
        ("_A = 7 / 2", None),
        ("_A = len(B)", None),
        ("_A = B + 1", None),
        ('_A = "x" * 3', None),
        ("__version__ = 1", None),
        ("_A = 5\n_A = 6", None),
        ("_A = 5\ndef f():\n    global _A\n    _A = 6", None),
        ("_A = 5\ndef f(_A):\n    return _A", None),
        ("def f():\n    _A = 5", None),
        ("_A = (\n    5\n)", "_A = (\n    const(5)\n)"),
    ],
)
def test_what_is_folded(line, folded):
    assert fold(line.encode()).decode() == (line if folded is None else folded)


def test_a_folded_name_takes_no_place_in_the_module():
    plain = compile_module("x.py", b"_LONG_NAME = [5]\ndef f():\n    return _LONG_NAME\n")
    folded = compile_module("x.py", b"_LONG_NAME = 5\ndef f():\n    return _LONG_NAME\n")
    assert b"_LONG_NAME" in plain and b"_LONG_NAME" not in folded


@pytest.mark.parametrize("module", modules(firmware_dir()))
def test_a_module_of_the_firmware_stays_what_it_was_but_for_its_constants(module):
    source = (firmware_dir() / module).read_bytes()
    folded = fold(source)
    assert folded.count(b"\n") == source.count(b"\n"), "tracebacks tell lines of the source"
    plain = ast.unparse(ast.parse(source))
    assert ast.unparse(_Without().visit(ast.parse(folded))) == plain


@pytest.mark.parametrize("module", modules(firmware_dir()))
def test_no_module_uses_a_private_name_of_another(module):
    """It would not be there."""
    tree = ast.parse((firmware_dir() / module).read_bytes())
    imported = {
        each.asname or each.name for node in tree.body if isinstance(node, ast.ImportFrom) for each in node.names
    }
    assert not [name for name in imported if name.startswith("_")]
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in imported:
            assert not node.attr.startswith("_"), f"line {node.lineno}"


class _Without(ast.NodeTransformer):
    """Takes every const(x) for x."""

    def visit_Call(self, node):
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "const":
            return node.args[0]
        return node
