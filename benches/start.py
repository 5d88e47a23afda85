"""Times the start of the window from outside: from the call of the program to pixels on a screen of Xvfb.

    python3 benches/start.py PROGRAM [RUNS] [FILE…]

It needs Xvfb and python-xlib (`pip install python-xlib`). One row of pixels is read every few milliseconds, so that looking takes little of the processors.
It prints for each run when the row changed, in ms, and how many of its pixels; the first change is the first picture. The program keeps its settings in a folder of its own.
"""

import os
import subprocess
import sys
import tempfile
import time

from Xlib import X, display

SCREEN, SIZE, ROW = ":77", (1400, 900), 330


def changes(program, root, environment):
    """The changes of the row while the program starts: the time in ms and the number of pixels of each."""
    look = lambda: root.get_image(0, ROW, SIZE[0], 1, X.ZPixmap, 0xFFFFFFFF).data
    found, before, start = [], look(), time.monotonic()
    process = subprocess.Popen(program, env=environment, stderr=subprocess.DEVNULL)
    while time.monotonic() - start < 1.5:
        row = look()
        if row != before:
            n = sum(row[k : k + 4] != before[k : k + 4] for k in range(0, len(row), 4))
            found.append((round(1e3 * (time.monotonic() - start)), n))
        before = row
        time.sleep(0.003)
    process.terminate()
    process.wait()
    time.sleep(0.5)
    return found


def main():
    program, runs = sys.argv[1:2] + sys.argv[3:], int((sys.argv[2:] or ["9"])[0])
    server = subprocess.Popen(["Xvfb", SCREEN, "-screen", "0", f"{SIZE[0]}x{SIZE[1]}x24"], stderr=subprocess.DEVNULL)
    time.sleep(1)
    try:
        root = display.Display(SCREEN).screen().root
        with tempfile.TemporaryDirectory() as home:
            environment = dict(os.environ, DISPLAY=SCREEN, HOME=home)
            all_runs = [changes(program, root, environment) for _ in range(runs)]
    finally:
        server.terminate()
    for found in all_runs:
        print(*(f"{time} ms: {n} pixels" for time, n in found), sep=", ")
    first = sorted(found[0][0] for found in all_runs if found)
    if not first:
        sys.exit("no run showed a picture")
    print(f"first picture: median {first[len(first) // 2]} ms of {len(first)} runs")


main()
