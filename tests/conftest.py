"""What all tests share: a quiet gRPC, no settings of the user's, steady chance."""

import os

from hypothesis import settings

os.environ.setdefault("GRPC_VERBOSITY", "NONE")
for name in [name for name in os.environ if name.startswith("HEARTS_")]:
    del os.environ[name]

# The same examples each time, however slow the machine is.
settings.register_profile("arena", deadline=None, derandomize=True)
settings.load_profile("arena")
