"""Standard streams that can't be written: they end nothing but what prints."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.streams import LossyStream, forget_unwritten

RUN = "import sys; from arena.__main__ import main; sys.exit(main(sys.argv[1:]))"


def test_what_can_not_be_written_is_lost() -> None:
    """A full disk and a closed file are nothing to whoever writes."""
    closed = io.StringIO()
    closed.close()
    with Path("/dev/full").open("w") as full:
        for stream in (full, closed):
            lossy = LossyStream(stream)
            written = lossy.write("a line\n")
            lossy.flush()
            assert 7 == written
        assert forget_unwritten(full)
        assert not forget_unwritten(full)
    assert LossyStream(sys.stdout).encoding == sys.stdout.encoding


def test_a_note_ends_nothing_where_nobody_reads() -> None:
    """Notes to a full disk and to a reader that has left do not count."""
    program = (
        "from arena.__main__ import main; from arena.terminal import print_note\n"
        "from arena.streams import lasting_streams\n"
        "with lasting_streams():\n"
        "    for _ in range(3000): print_note('a note')\n"
        "    print('done')\n"
    )
    reader, writer = os.pipe()
    os.close(reader)
    with Path("/dev/full").open("w") as full, os.fdopen(writer, "w") as left:
        done = [
            subprocess.run(
                [sys.executable, "-c", program],
                stdout=subprocess.PIPE,
                stderr=stream,
                check=False,
            )
            for stream in (full, left)
        ]

    assert [(0, b"done\n")] * 2 == [(one.returncode, one.stdout) for one in done]


@pytest.mark.parametrize("arguments", [["rules", "list"], ["rules", "show", "arena"]])
def test_a_result_that_is_lost_is_told(arguments: list[str]) -> None:
    """A closed standard output is no success for what is there to print."""
    words = ["-c", RUN, *arguments]
    python = sys.executable
    closes = f"import os; os.close(1); os.execv({python!r}, {[python, *words]})"
    done = subprocess.run(
        [sys.executable, "-c", closes],
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )

    assert 2 == done.returncode
    assert "error: the output can't be written: Bad file descriptor\n" == done.stderr


def test_descriptors_that_were_closed_are_not_reused(tmp_path: Path) -> None:
    """No file of the arena gets the number of a standard stream."""
    seen = tmp_path / "seen"
    program = (
        "import os\nfrom arena.streams import lasting_streams\n"
        "with lasting_streams():\n"
        f"    file = open({str(seen)!r}, 'w')\n"
        "    print('lost', file=__import__('sys').stderr)\n"
        "    file.write(str(file.fileno() > 2))\n"
    )
    closes = (
        "import os; os.closerange(0, 3); "
        f"os.execv({sys.executable!r}, {[sys.executable, '-c', program]})"
    )
    done = subprocess.run([sys.executable, "-c", closes], check=False)

    assert (0, "True") == (done.returncode, seen.read_text())
