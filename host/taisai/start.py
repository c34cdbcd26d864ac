"""The command `taisai`: loads the command line, which takes a moment in which Ctrl-C must be as plain as later.

Nothing is imported before `main` is there to be interrupted.
"""


def main() -> int:
    """Run this process's command line and return its exit code."""
    try:
        from taisai.streams import prepare

        prepare()
        from taisai.cli import main as command_line

        return command_line()
    except KeyboardInterrupt:
        from taisai.errors import EXIT_INTERRUPTED
        from taisai.streams import say

        say("taisai: interrupted")
        return EXIT_INTERRUPTED
