"""Prints what takes long in a run of the tests: suites, tests, and what they do beside their own statements.

test_times.py EVENTS COUNTS: the event stream of Swift Testing, and the file of `WorkCount`. `Scripts/test --times`
makes both.

A test with arguments runs once for each of them. Its seconds are those of all its runs together. Tests run side by
side, so that all seconds together are more than those on the clock.
"""

import json
import sys
from collections import defaultdict
from pathlib import Path

MOST = 30  # lines of each table


def case_seconds(path: str) -> tuple[dict[str, float], dict[str, int], float]:
    """Seconds and runs of each test by its id, and the seconds between the first event and the last."""
    seconds: dict[str, float] = defaultdict(float)
    runs: dict[str, int] = defaultdict(int)
    ends: dict[str, int] = defaultdict(int)
    moments = []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            event = record["payload"]
            if record["kind"] != "event":
                continue
            now = event["instant"]["absolute"]
            moments.append(now)
            # Of runs that overlap, the sum of ends less the sum of starts is the sum of their seconds.
            if event["kind"] == "testCaseStarted":
                seconds[event["testID"]] -= now
                runs[event["testID"]] += 1
            elif event["kind"] == "testCaseEnded":
                seconds[event["testID"]] += now
                ends[event["testID"]] += 1
    # A run that broke off leaves tests that did not end.
    seconds = {name: taken for name, taken in seconds.items() if ends[name] == runs[name]}
    return seconds, runs, max(moments) - min(moments) if moments else 0.0


def table(title: str, rows: list[tuple[str, float, int]], all_seconds: float) -> None:
    print(f"\n{title:68} {'seconds':>8} {'share':>7} {'runs':>6}")
    for name, taken, count in sorted(rows, key=lambda row: -row[1])[:MOST]:
        print(f"{name[:68]:68} {taken:8.1f} {100 * taken / all_seconds:6.1f}% {count:6}")


def main() -> int:
    seconds, runs, clock = case_seconds(sys.argv[1])
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
    print(f"{sum(runs.values())} runs of {len(runs)} tests: {whole:.0f} s in all, {clock:.0f} s on the clock")
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
