"""Whether there can be sandboxes here; where there can't, their tests are skipped."""

import shutil
import subprocess

import pytest

_OPTIONS = (
    *("--unshare-all", "--unshare-user", "--disable-userns", "--cap-drop", "ALL"),
    *("--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"),
)
"""What the machine must allow; how the arena asks for it is what is tested."""


def _problem() -> str:
    """Return what keeps bubblewrap from making sandboxes; empty when nothing does."""
    program = shutil.which("bwrap")
    if program is None:
        return "bubblewrap is not installed"
    done = subprocess.run(
        [program, *_OPTIONS, "--", "/bin/sh", "-c", ":"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    said = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
    return f"no sandboxes here: {said[0]}" if done.returncode else ""


PROBLEM = _problem()
needs_sandboxes = pytest.mark.skipif(bool(PROBLEM), reason=PROBLEM)
