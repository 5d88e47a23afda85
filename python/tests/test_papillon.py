"""The module against NumPy and SciPy, arrays of every layout, wrong calls, threads, interruptions, and the notebook."""

import json
import logging
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
import scipy.linalg
import scipy.signal

import papillon

RANDOM = np.random.default_rng(7)
RATE = 8000.0


def near(found, expected, bound):
    scale = np.abs(expected).max()
    assert found.shape == expected.shape
    assert np.abs(found - expected).max() <= bound * scale


@pytest.mark.parametrize("kind, gives, bound", [("f4", "c8", 1e-5), ("f8", "c16", 1e-13), ("c8", "c8", 1e-5), ("c16", "c16", 1e-13), ("f2", "c8", 1e-5)])
def test_dft_is_that_of_numpy(kind, gives, bound):
    x = RANDOM.standard_normal(360)
    x = (x + 1j * RANDOM.standard_normal(360) if kind[0] == "c" else x).astype(kind)
    precision = {"precision": "double"} if gives == "c16" else {}
    found = papillon.transform(x, "dft", **precision)
    assert found.dtype == np.dtype(gives)
    near(found, np.fft.fft(x.astype("c16")), bound)
    back = papillon.transform(found, "dft", inverse=True, **precision)
    near(back, x.astype("c16") if kind[0] == "c" else x.astype("f8"), 10 * bound)


def test_images_rows_and_columns():
    x = RANDOM.standard_normal((12, 20))
    near(papillon.transform(x, "dft2", precision="double"), np.fft.fft2(x), 1e-13)
    near(papillon.transform(x, "dft", axis="columns", precision="double"), np.fft.fft(x, axis=0), 1e-13)


def test_whole_numbers_stay_whole():
    for kind in ("i8", "i4", "u1", "?"):
        x = RANDOM.integers(0, 2, 64).astype(kind)
        found = papillon.transform(x, "walsh", algorithm="cooley-tukey")
        assert (found == scipy.linalg.hadamard(64) @ x.astype("i8")).all()


LAYOUTS = [
    lambda x: x[:, ::2],
    lambda x: x[::-1],
    lambda x: x.T,
    np.asfortranarray,
    lambda x: x.astype(">f8"),
    lambda x: x.astype(">f4"),
    lambda x: x.tolist(),
]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_gives_what_a_plain_copy_gives(layout):
    x = layout(RANDOM.standard_normal((16, 16)))
    plain = np.ascontiguousarray(np.asarray(x), dtype=np.asarray(x).dtype.newbyteorder("="))
    assert (papillon.transform(x, "walsh2", device="cpu") == papillon.transform(plain, "walsh2", device="cpu")).all()


@pytest.mark.parametrize("x", [np.array([1, None]), np.array(["a", "b"]), np.array(["2020-01-01"], "M8[D]"), [[1, 2], "x"]])
def test_other_objects_are_refused(x):
    with pytest.raises((TypeError, ValueError)):
        papillon.transform(x, "dft")


def test_masked_and_empty_arrays_are_refused():
    with pytest.raises(ValueError, match="filled"):
        papillon.transform(np.ma.array([1.0, 2.0], mask=[0, 1]), "dft")
    with pytest.raises(RuntimeError, match="no elements"):
        papillon.transform(np.zeros(0), "dft")


WRONG = [
    (lambda: papillon.transform([1, 2, 3], "dft3"), "take one of dft"),
    (lambda: papillon.transform([1, 2, 3], "walsh"), "power"),
    (lambda: papillon.transform([1, 2, 3, 4], "dft", loud=True), "--loud"),
    (lambda: papillon.graph("dft", "rustfft", 8), "no flow graph"),
    (lambda: papillon.graph("dft", "cooley-tukey"), "size"),
    (lambda: papillon.graph("dft", "cooley-tukey", 8).vectors(), "values"),
    (lambda: papillon.tone(np.ones(8), rate=-3), "rate"),
]


@pytest.mark.parametrize("call, words", WRONG)
def test_errors_say_what_to_do(call, words):
    with pytest.raises(ValueError, match=words) as told:
        call()
    assert "\n" not in str(told.value)


def test_welch_is_that_of_scipy():
    x = RANDOM.standard_normal(20000)
    for length in (256, 1000):
        found = papillon.spectrum(x, rate=RATE, length=length, overlap="50%", quantity="density", precision="double")
        f, density = scipy.signal.welch(x, RATE, "hann", length, length // 2, detrend=False)
        near(found.frequencies, f, 1e-12)
        near(found.values, density, 1e-9)
        assert "Hz" in found.facts["value"]


def test_spectrogram_is_that_of_scipy():
    x = RANDOM.standard_normal(4000)
    found = papillon.spectrogram(x, rate=RATE, length=256, overlap="50%", quantity="density", precision="double")
    f, t, density = scipy.signal.spectrogram(x, RATE, "hann", 256, 128, detrend=False)
    near(found.values[:, : len(t)], density, 1e-9)
    near(found.frequencies, f, 1e-12)
    assert np.allclose(found.times[: len(t)], t)
    assert papillon.spectrogram(x, rate=RATE, picture=True)._repr_png_().startswith(b"\x89PNG")


def test_peaks_and_tones():
    n = np.arange(8000)
    x = 0.5 * np.sin(2 * np.pi * 440.25 / RATE * n) + 0.005 * np.sin(2 * np.pi * 880.5 / RATE * n)
    strongest = papillon.peaks(x, rate=RATE, count=2)["peaks"][0]
    assert abs(strongest["frequency"] - 440.25) < 0.001 and abs(strongest["amplitude"] - 0.5) < 1e-4
    measured = papillon.tone(x, rate="8kHz", harmonics=2)
    assert any(abs(value + 40) < 0.05 for value in measured.values() if isinstance(value, float)), measured


def test_images():
    x = RANDOM.standard_normal((32, 48))
    assert papillon.spectrum(x)._repr_png_().startswith(b"\x89PNG")
    kept = papillon.filter(x, low_pass=0.1, butterworth=2)
    assert kept.shape == x.shape and abs(kept.mean() - x.mean()) < 1e-9 and kept.std() < x.std()
    shift = papillon.register(x, np.roll(x, (3, -5), (0, 1)))
    assert (round(shift["dx"]), round(shift["dy"])) == (-5, 3)


def test_systems_and_convolutions():
    rows = np.column_stack([np.full(50, 1.0), np.full(50, 4.0), np.full(50, 1.0), RANDOM.standard_normal(50)])
    rows[0, 0] = rows[-1, 2] = 0
    dense = np.diag(rows[:, 1]) + np.diag(rows[1:, 0], -1) + np.diag(rows[:-1, 2], 1)
    x = np.linalg.solve(dense, rows[:, 3])
    near(papillon.solve(rows, precision="double"), x, 1e-12)
    near(papillon.solve(rows[:, :3], right=rows[:, 3], precision="double"), x, 1e-12)
    f, g = RANDOM.standard_normal((2, 30))
    near(papillon.convolve(f, g, cyclic=True, precision="double"), np.fft.ifft(np.fft.fft(f) * np.fft.fft(g)).real, 1e-12)


def test_a_graph_multiplies_to_its_transform():
    x = RANDOM.standard_normal(16)
    graph = papillon.graph("dft", "constant-geometry", values=x, device="cpu")
    assert "<svg" in graph._repr_svg_()
    n_stages = len(graph.data["stages"])
    product = np.eye(16)
    for stage in range(1, n_stages + 1):
        product = graph.matrix(stage) @ product
        edges = np.zeros((16, 16), complex)
        for number, source, target, coefficient in graph.edges:
            if number == stage:
                edges[target, source] += coefficient
        near(edges, graph.matrix(stage), 1e-12)
    near(graph.matrix(), np.fft.fft(np.eye(16)), 1e-12)
    near(product[graph.data["outputs"]], np.fft.fft(np.eye(16)), 1e-12)
    vectors = graph.vectors()
    assert vectors.shape == (n_stages + 1, 16)
    near(vectors[0].real, x, 1e-6)
    near(vectors[-1][graph.data["outputs"]], np.fft.fft(x), 1e-6)
    assert "@compute" in graph.kernel(1) and "workgroups" in graph.kernel()
    assert "kernel" in graph.kernel(1, language="msl")


def test_systems_have_graphs():
    rows = np.column_stack([[0, 1, 1, 1], [4, 4, 4, 4], [1, 1, 1, 0], [5, 6, 6, 5]]).astype(float)
    graph = papillon.graph("tridiagonal", "cyclic-reduction", values=rows)
    assert graph.vectors().shape[1:] == (4, 4) and graph.matrix(1).shape[0] == 4


def test_bench_gives_a_table():
    rows = papillon.bench("walsh", "8,16", algorithm="cooley-tukey", device="cpu", repeat=2)
    assert rows and all(isinstance(row, dict) for row in rows)


def test_notes_go_to_the_logger(caplog):
    with caplog.at_level(logging.INFO, "papillon"):
        papillon.transform([1.0, 2.0], "walsh", device="cpu")
    assert any(re.match("walsh by .* on CPU", record.message) for record in caplog.records)


def test_other_threads_run_meanwhile():
    counted, done = [0], threading.Event()

    def count():
        while not done.is_set():
            counted[0] += 1
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    before, begin = counted[0], time.time()
    papillon.transform(RANDOM.standard_normal(2**17), "dft", device="cpu")
    took = time.time() - begin
    done.set()
    counter.join()
    assert counted[0] - before > 50 * took


def test_calls_of_several_threads_are_right():
    found = {}

    def work(seed):
        x = np.random.default_rng(seed).standard_normal(256)
        found[seed] = np.abs(papillon.transform(x, "dft", precision="double") - np.fft.fft(x)).max()

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert len(found) == 8 and max(found.values()) < 1e-11


def test_an_interruption_ends_the_work():
    timer = threading.Timer(1.0, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    begin = time.time()
    with pytest.raises(KeyboardInterrupt):
        papillon.bench("dft", "2^18..2^22", device="cpu", budget=300)
    assert time.time() - begin < 60
    assert papillon.transform([1.0, 1.0], "walsh").tolist() == [2.0, 0.0]


def test_a_forked_process_is_refused():
    script = "import os, papillon, sys\npapillon.transform([1, 1], 'walsh')\npid = os.fork()\n"
    script += "if pid: sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))\n"
    script += "try: papillon.transform([1, 1], 'walsh')\nexcept RuntimeError as told: os._exit(7 if 'spawn' in str(told) else 1)\n"
    assert not hasattr(os, "fork") or subprocess.run([sys.executable, "-c", script], timeout=120).returncode == 7


def test_the_command_is_that_of_the_program(tmp_path):
    command = [sys.executable, "-c", "import sys, papillon; sys.argv[0] = 'papillon'; sys.exit(papillon._command())"]

    def run(*words):
        return subprocess.run([*command, *words], cwd=tmp_path, capture_output=True, text=True, timeout=300)

    assert run("--version").stdout.strip() == f"papillon {papillon.__version__}"
    (tmp_path / "x.csv").write_text("1\n2\n3\n4\n")
    done = run("transform", "x.csv", "-t", "walsh", "-d", "cpu", "-o", "y.csv")
    assert done.returncode == 0 and (tmp_path / "y.csv").read_text() == "value\n10\n-2\n-4\n0\n", done.stderr
    wrong = run("graph", "--loud")
    assert wrong.returncode == 2 and "see 'papillon graph --help'" in wrong.stderr


def test_stubs_and_docstrings_name_what_is_there():
    stub = pathlib.Path(papillon.__file__).with_suffix(".pyi").read_text()
    for name in papillon.__all__:
        assert re.search(rf"^(def|class) {name}\b", stub, re.M), name
        assert getattr(papillon, name).__doc__, name


def test_the_notebook_runs():
    path = pathlib.Path(__file__).parent.parent / "examples" / "first-steps.ipynb"
    cells = [cell for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"]
    assert len(cells) == 10
    names = {}
    for cell in cells:
        exec("".join(cell["source"]), names)
