"""Fuzz one target under atheris: `python -m tests.fuzz.one TARGET CORPUS [-runs=N]`.

Options with one dash are libFuzzer's.
"""

import hashlib
import os
import sys
from pathlib import Path

import atheris

LENGTH_MAX = 8192
INPUT_SECONDS_MAX = 10
"""How long one input may take."""
MEMORY_MB_MAX = 1024

# Only what is imported here is watched for new paths.
with atheris.instrument_imports(include=["arena", "hearts", "leagues"]):
    from tests.fuzz.targets import TARGETS, seeds_of


def main(target: str, corpus: Path, *options: str) -> None:
    """Fuzz until an option's limit; never returns."""
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    for seed in seeds_of(target):
        (corpus / hashlib.sha256(seed).hexdigest()[:16]).write_bytes(seed)
    words = [
        sys.argv[0],
        str(corpus),
        f"-artifact_prefix={corpus.parent}/found-{target}-",
        f"-max_len={LENGTH_MAX}",
        f"-timeout={INPUT_SECONDS_MAX}",
        f"-rss_limit_mb={MEMORY_MB_MAX}",
        "-print_final_stats=1",
        *options,
    ]
    atheris.Setup(words, TARGETS[target])
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), *sys.argv[3:])
