"""
Mutation testing: small changes to the engine, each of which some test must notice.

`make mutate` makes every change that mutmut's operators know, one at a time, and runs
the engine's tests against it. A change that no test notices either shows a test that
is missing, or it changes nothing that can be seen; then `equivalent.md` says why.
"""
