"""Usage: what is seen of a program, and how it is judged."""

import mmap
import os
import subprocess
import sys
from contextlib import ExitStack

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leagues.programs.kernel_memory import (
    FILES_FREE,
    MAPPING_MB,
    MAPPINGS_FREE,
    PIPE_MB,
    Held,
    Mappings,
    files_of,
    open_files_mb,
)
from leagues.programs.usage import LOOKS_ABOVE, Meter, Usage, exact_memory, look


def judged(meter: Meter, *memories: float, exact: float | None = None) -> list[str]:
    """Show a meter one look a second; return what it says to each."""
    return [
        meter.judge(
            Usage(memory_mb=memory, tasks=1),
            second,
            exact=lambda usage: usage.memory_mb if exact is None else exact,
        )
        for second, memory in enumerate(memories)
    ]


def test_memory_has_to_be_above_its_limit_for_some_looks() -> None:
    """A look or two may be wrong; the text says what was used, and the course."""
    meter = Meter({"memory_mb": 100})
    verdicts = judged(meter, 50, 120, 90, 120, 120, 130)

    assert [""] * 5 == verdicts[:5]
    assert "memory_mb = 100: it used 130 MB after 5.0 s" == verdicts[5]
    assert "0.0 s 50, 1.0 s 120, 2.0 s 90" in meter.curve()
    assert meter.curve().endswith("5.0 s 130")


def test_what_only_seems_to_be_memory_is_no_reason() -> None:
    """Shared pages are counted once before anything is ended."""
    meter = Meter({"memory_mb": 100})

    assert [""] * 9 == judged(meter, *[900] * 9, exact=80)


def test_the_tasks_of_a_sandbox_do_not_count() -> None:
    """One more process than the limit is one too many."""
    meter = Meter({"processes": 4}, own_tasks=3)
    verdicts = [
        meter.judge(Usage(tasks=tasks), 1.0, exact=exact_memory) for tasks in (7, 8)
    ]

    assert "" == verdicts[0]
    assert "processes = 4: it had 5 processes and threads" in verdicts[1]


@given(st.lists(st.floats(min_value=0, max_value=2), max_size=400), st.floats(0.1, 4))
def test_nobody_gets_more_of_the_processor(used: list[float], cores: float) -> None:
    """What is used while not held stays below the rate, what was saved up and one
    look's worth more; and who stays below the rate is never held."""
    meter = Meter({"cores": cores})
    cpu, most = 0.0, max(used, default=0.0)
    for second, wanted in enumerate(used, start=1):
        cpu += 0.0 if meter.is_held else wanted
        meter.judge(Usage(cpu={(1, 1): (cpu, 0.0)}), second, exact=exact_memory)

        assert cpu <= cores * (5 + second) + most + 1e-6
        if most <= cores:
            assert not meter.is_held


def test_who_does_not_hear_of_the_end_of_its_children_pays_for_them() -> None:
    """A new process each second uses all of it, and nobody has its time after that."""
    meter = Meter({"cores": 0.5})
    for second in range(1, 13):
        cpu = {(1, 1): (0.0, 0.0), (second + 1, second): (1.0, 0.0)}
        meter.judge(Usage(cpu=cpu), second, exact=exact_memory)

    assert meter.is_held


def test_the_time_of_a_child_counts_once() -> None:
    """At first it is its own, and when it has ended its parent's."""
    meter = Meter({"cores": 1})
    for second in range(1, 40):
        ended = float(second // 2)
        cpu = {(1, 1): (0.0, ended)}
        if second % 2:
            cpu[2, second] = (1.0, 0.0)
        meter.judge(Usage(cpu=cpu), second, exact=exact_memory)

    assert not meter.is_held
    # What nobody saw alive counts when it shows up.
    meter.judge(Usage(cpu={(1, 1): (0.0, 30.0)}), 40, exact=exact_memory)
    assert meter.is_held


@given(st.integers(1, 3000))
def test_a_long_course_is_told_in_a_few_points(count: int) -> None:
    """From the first look to one near the last, in their order."""
    meter = Meter({"memory_mb": 1e9})
    judged(meter, *range(count))
    times = [float(point.split()[0]) for point in meter.curve().split(", ")]

    assert sorted(times) == times
    assert len(times) <= 12
    assert 0.0 == times[0]
    assert times[-1] >= 0.95 * (count - 1) - 1


@pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux's")
def test_a_look_finds_children_and_theirs() -> None:
    """A shell and what it started are seen, with their memory."""
    script = "sleep 60 & sleep 60 & echo ready; read line; kill %1 %2"
    with subprocess.Popen(
        ["bash", "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as shell:
        assert shell.stdout is not None
        shell.stdout.readline()
        seen = look(os.getpid())
        exact = exact_memory(seen)
        shell.communicate(b"\n")

    assert shell.pid in seen.processes
    assert 3 <= seen.tasks
    assert 0 < exact <= seen.memory_mb


def test_limits_need_a_few_looks_in_a_row() -> None:
    """The number of looks is what the other tests take it for."""
    assert 3 == LOOKS_ABOVE


def test_what_the_kernel_holds_is_memory() -> None:
    """It counts as far as it is known; what may be there is a reason to look well."""
    meter = Meter({"memory_mb": 100})
    looks = [
        Usage(memory_mb=40, tasks=1, kernel=Held(known=50)),
        *[Usage(memory_mb=40, tasks=1, kernel=Held(known=50, most=900))] * 3,
        *[Usage(memory_mb=40, tasks=1, kernel=Held(known=70))] * 3,
    ]
    verdicts = [
        meter.judge(
            usage, 1.0, exact=lambda usage: usage.memory_mb + usage.kernel.known
        )
        for usage in looks
    ]

    assert [""] * 6 == verdicts[:6]
    assert (
        "memory_mb = 100: it used 110 MB after 1.0 s, most of it in page"
        in (verdicts[6])
    )


def test_too_much_that_is_plain_is_not_looked_at_again() -> None:
    """What the kernel holds alone can be above the limit; then no page need count."""
    meter = Meter({"memory_mb": 100})
    usage = Usage(memory_mb=40, tasks=1, kernel=Held(known=120))
    exact = iter(())
    verdicts = [
        meter.judge(usage, 1.0, exact=lambda _: next(exact)) for _ in range(LOOKS_ABOVE)
    ]

    assert "it used 160 MB" in verdicts[-1]


@pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux's")
def test_pipes_count_once() -> None:
    """Both ends, and all processes that have them, are one pipe."""
    pipes = [os.pipe() for _ in range(FILES_FREE // 2 + 50)]
    try:
        once, twice = open_files_mb([os.getpid()]), open_files_mb([os.getpid()] * 2)
        count = files_of(os.getpid())
    finally:
        for pipe in pipes:
            os.close(pipe[0])
            os.close(pipe[1])

    assert count >= 2 * len(pipes)
    assert 0 == once
    assert twice < PIPE_MB * 50


def test_who_hides_its_children_pays_for_what_is_seen_of_them() -> None:
    """Three processes at a time live for a quarter of a look, and none shows up: the
    program is held as soon as for three cores that are plain to see."""
    meter = Meter({"cores": 1})
    for look_number in range(1, 60):
        keys = [(10 * look_number + n, look_number) for n in range(3)]
        usage = Usage(
            cpu={(1, 1): (0.0, 0.0)} | dict.fromkeys(keys, (0.025, 0.0)),
            running=dict.fromkeys(keys, 0.66),
        )
        meter.judge(usage, look_number * 0.2, exact=exact_memory)
        if meter.is_held:
            break

    # On a machine of one core there is only that to be had.
    assert meter.is_held or 1 == os.cpu_count()
    assert 20 <= look_number


def test_who_hears_of_its_children_is_not_guessed_at() -> None:
    """Each look sees another child run, which then shows up with the little it had."""
    meter = Meter({"cores": 0.5})
    for look_number in range(1, 300):
        key = (look_number + 1, look_number)
        usage = Usage(
            cpu={(1, 1): (0.0, 0.05 * look_number), key: (0.025, 0.0)},
            running={key: 1.0},
        )
        meter.judge(usage, look_number * 0.2, exact=exact_memory)

        assert not meter.is_held


def test_who_goes_on_while_it_is_held_is_ended() -> None:
    """Standing still is not asked for twice: above its share meanwhile it ends."""
    meter = Meter({"cores": 1})
    verdicts = [
        meter.judge(
            Usage(cpu={(1, 1): (2.0 * second, 0.0)}), second, exact=exact_memory
        )
        for second in range(1, 30)
    ]

    assert "cores = 1: it went on while it was to stand still, after" in "".join(
        verdicts
    )
    assert [""] * 9 == verdicts[:9]


@pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux's")
def test_what_orphans_have_used_is_their_adopters() -> None:
    """A look has the time of children that have ended and are nobody else's."""
    before = look(os.getpid()).cpu[os.getpid(), 0][1]
    subprocess.run([sys.executable, "-c", "sum(range(3_000_000))"], check=True)
    after = look(os.getpid()).cpu[os.getpid(), 0][1]

    assert before < after


@pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux's")
def test_a_look_tells_who_runs() -> None:
    """Of a core it has a part that is more than nothing and at most all."""
    code = "print(flush=True)\nwhile True: pass"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE
    ) as spinner:
        assert spinner.stdout is not None
        spinner.stdout.readline()
        running = look(os.getpid()).running
        spinner.kill()

    shares = [
        share for (process, _), share in running.items() if process == spinner.pid
    ]
    assert 1 == len(shares)
    assert 0 < shares[0] <= 1


@pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux's")
def test_mappings_are_counted_one_process_at_a_time() -> None:
    """Until all were looked at the rest counts like the greatest; who is gone, not."""
    page = mmap.PAGESIZE
    with ExitStack() as kept, open(sys.executable, "rb") as file:
        for _ in range(MAPPINGS_FREE + 1000):
            one = mmap.mmap(file.fileno(), page, access=mmap.ACCESS_READ)
            kept.enter_context(one)
        mappings, me = Mappings(), os.getpid()
        alone = mappings.look([me])
        with_another = mappings.look([me, 2**30, 2**30 + 1])
        without = mappings.look([])

    assert 1000 * MAPPING_MB <= alone < 3000 * MAPPING_MB
    assert 2 * alone == with_another
    assert 0 == without
