"""Prints what takes long in a run of the tests: suites, tests, and what they do beside their own statements.

test_times.py EVENTS COUNTS: the event stream of Swift Testing, and the file of `WorkCount`. `Scripts/test --times`
makes both. Its tests run one after the other, so that the seconds of each are its own.
"""

import json
import sys
from collections import defaultdict
from pathlib import Path

MOST = 30  # lines of each table


def test_seconds(path: str) -> tuple[dict[str, float], dict[str, int]]:
    """Seconds of each test by its id, and how often it ran: once for each of its arguments."""
    starts: dict[str, float] = {}
    seconds: dict[str, float] = {}
    cases: dict[str, int] = defaultdict(int)
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            event = record["payload"]
            if record["kind"] != "event" or "/" not in event.get("testID", ""):
                continue
            name, now = event["testID"], event["instant"]["absolute"]
            if event["kind"] == "testStarted":
                starts[name] = now
            elif event["kind"] == "testEnded":
                seconds[name] = now - starts[name]
            elif event["kind"] == "testCaseStarted":
                cases[name] += 1
    return seconds, {name: cases.get(name, 1) for name in seconds}


def table(title: str, rows: list[tuple[str, float, int]], all_seconds: float) -> None:
    print(f"\n{title:68} {'seconds':>8} {'share':>7} {'runs':>6}")
    for name, taken, count in sorted(rows, key=lambda row: -row[1])[:MOST]:
        print(f"{name[:68]:68} {taken:8.1f} {100 * taken / all_seconds:6.1f}% {count:6}")


def main() -> int:
    seconds, runs = test_seconds(sys.argv[1])
    whole = sum(seconds.values()) or 1.0
    suites: dict[str, list[float]] = defaultdict(lambda: [0.0, 0])
    rooms: dict[str, list[float]] = defaultdict(lambda: [0.0, 0])
    tests = []
    for name, taken in seconds.items():
        # Room.Suite/function(arguments)/File.swift:line:column
        room, _, rest = name.partition(".")
        suite, _, function = rest.partition("/")
        for sums, key in [(rooms, room), (suites, f"{room}.{suite}")]:
            sums[key][0] += taken
            sums[key][1] += runs[name]
        tests.append((f"{suite}/{function.split('/')[0]}", taken, runs[name]))
    print(f"{sum(runs.values())} runs of {len(runs)} tests: {whole:.0f} s")
    for title, sums in [("room", rooms), ("suite", suites)]:
        table(title, [(name, taken, int(count)) for name, (taken, count) in sums.items()], whole)
    table("test", tests, whole)
    print(f"\n{'beside the tests':68} {'count':>8} {'seconds':>8} {'processor':>9}")
    work = []
    for line in Path(sys.argv[2]).read_text(encoding="utf-8").splitlines():
        name, count, taken, processor = line.split("\t")
        work.append((name, int(count), float(taken), float(processor)))
    for name, count, taken, processor in sorted(work, key=lambda row: -row[2]):
        print(f"{name[:68]:68} {count:8} {taken:8.1f} {processor:9.1f}")
    return 0


sys.exit(main())
