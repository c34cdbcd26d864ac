"""The wheel as a technician gets it: installed into an environment of its own, run far away from the repository.

The environment borrows the dependencies of the one that runs the tests, through a path file, so that nothing is
downloaded; `taisai` itself comes from the wheel alone.
"""

import json
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# Windows has none of these.
POSIX_ONLY = ("termios", "fcntl", "pty", "tty", "grp", "pwd", "resource")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Built by this environment's setuptools, without the isolation that would download another one."""
    folder = tmp_path_factory.mktemp("wheel")
    # Built from a copy: setuptools leaves a build folder in the source tree.
    source = tmp_path_factory.mktemp("source")
    for name in ("boards", "firmware", "host"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, source]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return next(folder.glob("taisai-*.whl"))


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """An environment with the wheel, its dependencies borrowed; returns the folder of its programs."""
    folder = tmp_path_factory.mktemp("env")
    venv.EnvBuilder(with_pip=False, symlinks=True).create(folder)
    python = folder / "bin" / "python"
    install = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", "--no-index", wheel]
    subprocess.run(install, check=True, timeout=300)
    own = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        capture_output=True, text=True, check=True,
    ).stdout.strip()  # fmt: skip
    # A plain path: the path files of the borrowed folder, the editable taisai among them, are not processed.
    Path(own, "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    (folder / "bin" / "micropython").symlink_to(Path(sys.executable).with_name("micropython"))
    return folder / "bin"


@pytest.fixture
def run(installed, tmp_path):
    """Run a program of the environment from a folder outside the repository."""

    def run(*command: str, **options) -> subprocess.CompletedProcess:
        path = [installed / command[0], *command[1:]]
        return subprocess.run(
            path, cwd=tmp_path, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL, **options
        )

    return run


def test_the_wheel_holds_the_firmware_and_the_board_data(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder, prefix in (("firmware", "taisai_firmware"), ("boards", "taisai_boards")):
        for suffix in ("*.py", "*.toml"):
            for path in (ROOT / folder).rglob(suffix):
                assert f"{prefix}/{path.relative_to(ROOT / folder).as_posix()}" in names
    assert {"taisai/cli/__init__.py", "tablecore/version.py"} <= names
    for path in (ROOT / "host" / "taisai").rglob("*.py"):
        assert path.relative_to(ROOT / "host").as_posix() in names
    assert not [name for name in names if name.startswith("tests/")]


def test_it_is_the_wheel_that_runs(run, installed):
    code = "import tablecore as t, taisai.paths as p; print(p.__file__, t.__file__, p.boards_dir(), p.firmware_dir())"
    for place in run("python", "-c", code).stdout.split():
        assert Path(place).is_relative_to(installed.parent)


def test_layouts(run):
    done = run("taisai", "layouts")
    assert done.returncode == 0, done.stderr
    assert "nz-div9-appendix2" in done.stdout


def test_explain(run):
    done = run("taisai", "explain", "1", "3", "6", "--layout", "nz-div9-appendix1", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["call"] == "1, 3, 6, Total 10"


def test_simulate(run):
    done = run("taisai", "simulate", "--script", "1 3 6 E", "--json")
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert (seen["state"], seen["display"]) == ("result", "136")
    assert seen["lit"] == [
        "small", "single-1", "single-3", "single-6", "total-10", "pair-1-3", "pair-1-6", "pair-3-6",
    ]  # fmt: skip


# None in sys.modules is how an absent module looks. pyserial asks the operating system and not the modules which of its
# forms to load, so that here it misses fcntl where on Windows it would not: OURS blocks them for this product alone.
ALL = f"""
import sys
for name in {POSIX_ONLY!r}:
    sys.modules[name] = None
from taisai.cli import main
sys.exit(main(sys.argv[1:]))
"""

OURS = f"""
import builtins, sys
real = builtins.__import__
def blocking(name, globals=None, *rest, **named):
    if name.split(".")[0] in {POSIX_ONLY!r} and (globals or {{}}).get("__name__", "").startswith("taisai"):
        raise ImportError("blocked", name=name)
    return real(name, globals, *rest, **named)
builtins.__import__ = blocking
from taisai.cli import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize("verb", ["layouts", "tables", "table", "explain 1 3 6", "build --table nz1-pico-hc595"])
@pytest.mark.parametrize("blocked", [ALL, OURS], ids=["for all", "for taisai"])
def test_without_the_posix_modules(run, blocked, verb):
    """As on Windows: every verb of a technician imports and runs."""
    done = run("python", "-c", blocked, *verb.split())
    assert done.returncode == 0, done.stdout + done.stderr


def test_doctor_without_the_posix_modules(run):
    done = run("python", "-c", OURS, "doctor", "--json")
    checks = json.loads(done.stdout)["checks"]
    # A serial port of this computer may be closed to this user; nothing else is wrong.
    assert [check for check in checks if check["state"] == "problem" and not check["name"].startswith("/dev/")] == []


def test_doctor_with_broken_tools_reports_each_and_goes_on(run):
    done = run("python", "-c", ALL, "doctor", "--json")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    states = {check["name"]: check["state"] for check in json.loads(done.stdout)["checks"]}
    assert (states["serial"], states["mpremote"]) == ("problem", "problem")
    assert (states["python"], states["mpy-cross"], states["data"]) == ("ok", "ok", "ok")


def test_the_blocking_blocks(run):
    done = run("python", "-c", OURS.replace("from taisai.cli import main", "__name__ = 'taisai.x'\nimport fcntl"))
    assert "ImportError: blocked" in done.stderr


def test_simulate_without_the_posix_modules_says_what_it_needs(run):
    done = run("python", "-c", ALL, "simulate", "--script", "1 3 6 E")
    assert done.returncode == 2
    assert "needs Linux or macOS" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_pages_are_in_the_wheel(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert {f"taisai/web/static/table.{kind}" for kind in ("html", "css", "js")} <= set(names)


def test_a_page_without_what_serves_it_says_how_to_install_it(run):
    blocked = "import sys; sys.modules['starlette'] = None; from taisai.cli import main; sys.exit(main())"
    done = run("python", "-c", blocked, "simulate", "--web")
    assert done.returncode == 2
    assert "taisai simulate --web needs starlette: pip install 'taisai[web]'" in done.stderr
    assert "Traceback" not in done.stderr
