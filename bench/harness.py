"""The common parts of the benchmarks: the kernels, the ways to build and run them, and measurements.

Times are wall-clock seconds of the whole command (for forerun: of `forerun record`, until the trace is complete on
disk). Memory is the peak resident set of the program itself, shared file mappings included. The recorder is another
process, whose memory does not count.
"""
import json
import os
import shutil
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
KERNEL_DIR = os.path.join(HERE, "kernels")
CLANG = os.environ.get("CLANG", "clang-19")
FLAGS = ["-O2", "-g", "-pthread"]


class Kernel:
    """One kernel: its arguments (SIZE ROUNDS) for the table, for --quick and for Helgrind."""

    def __init__(self, name, size, rounds, quick, helgrind, threads):
        self.name = name
        self.args = [str(size), str(rounds)]
        self.quick_args = [str(a) for a in quick]
        self.helgrind_args = [str(a) for a in helgrind]
        self.threads = threads  # besides the main thread

    def long_args(self, factor):
        """Arguments of a quick run that is `factor` times as long over the same memory."""
        return [self.quick_args[0], str(int(self.quick_args[1]) * factor)]


KERNELS = [
    Kernel("lu", 1408, 1, (512, 1), (768, 1), 2),
    Kernel("fft", 20, 6, (18, 2), (20, 1), 2),
    Kernel("radix", 4000000, 8, (1000000, 1), (1000000, 4), 2),
    Kernel("hashmap", 8000, 1, (1000, 1), (1000, 1), 2),
    Kernel("queue", 500, 1, (60, 1), (100, 1), 2),
    Kernel("compress", 6144, 3, (1024, 1), (2048, 1), 2),
    Kernel("server", 60, 1, (8, 1), (12, 1), 4),
]


class Failure(Exception):
    pass


def start(main):
    """Ends the process with the status of main(). Prints a Failure without a traceback."""
    try:
        sys.exit(main())
    except Failure as e:
        sys.stderr.write("bench: %s\n" % e)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)


def select(names):
    if not names:
        return KERNELS
    wanted = names.split(",")
    unknown = [n for n in wanted if n not in [k.name for k in KERNELS]]
    if unknown:
        raise Failure("no kernel is called %s" % ", ".join(unknown))
    return [k for k in KERNELS if k.name in wanted]


def forerun_binary(build):
    path = os.path.join(build, "forerun")
    if not os.access(path, os.X_OK):
        raise Failure("'%s' does not exist: build first (make)" % path)
    return os.path.abspath(path)


def compile_kernel(kernel, variant, forerun, work):
    """Builds one kernel one way and returns the program's path."""
    out = os.path.join(work, kernel.name + "." + variant)
    source = os.path.join(KERNEL_DIR, kernel.name + ".c")
    compiler = {"native": [CLANG], "tsan": [CLANG, "-fsanitize=thread"], "forerun": [forerun, "cc"]}[variant]
    cmd = compiler + FLAGS + [source, "-o", out, "-lm"]
    done = subprocess.run(cmd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise Failure("%s\nfailed:\n%s" % (" ".join(cmd), done.stdout))
    return out


def _peak_kib(pid):
    try:
        with open("/proc/%d/status" % pid) as f:
            for line in f:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1])
    except (OSError, ValueError):
        pass
    return 0


def _process_running(pid, program):
    """Returns the process that executes `program`: `pid` or one of its children."""
    try:
        with open("/proc/%d/task/%d/children" % (pid, pid)) as f:
            children = [int(c) for c in f.read().split()]
    except OSError:
        return None
    for c in [pid] + children:
        try:
            if os.path.samefile("/proc/%d/exe" % c, program):
                return c
        except OSError:
            continue
    return None


class Sampler(threading.Thread):
    """Watches the peak memory of the process that runs `program`: `pid` or one of its children.

    The rusage of wait4 does not help: it also counts the memory of this Python, from before the exec.
    """

    def __init__(self, pid, program):
        super().__init__(daemon=True)
        self.pid, self.program = pid, program
        self.peak = 0
        self.stop = threading.Event()

    def run(self):
        child = None
        while not self.stop.wait(0.002 if child is None else 0.005):
            if child is None:
                child = _process_running(self.pid, self.program)
            if child is not None:
                self.peak = max(self.peak, _peak_kib(child))


class Result:
    def __init__(self, seconds, output, errors, status, peak):
        self.seconds = seconds
        self.output = output
        self.errors = errors
        self.status = status
        self.peak = peak  # KiB
        self.run = {}
        self.trace_bytes = 0
        self.folder_bytes = 0


def _run(cmd, sample, timeout=None, env=None):
    """Runs a command. sample: the program whose peak memory to measure, or None."""
    start = time.monotonic()
    p = subprocess.Popen(cmd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                         env=env)
    sampler = Sampler(p.pid, sample) if sample else None
    if sampler:
        sampler.start()
    try:
        output, errors = p.communicate(timeout=timeout)
        status = p.returncode
    except subprocess.TimeoutExpired:
        p.kill()
        output, errors = p.communicate()
        status = None
    seconds = time.monotonic() - start
    if sampler:
        sampler.stop.set()
        sampler.join()
    return Result(seconds, output, errors, status, sampler.peak if sampler else 0)


def run_plain(cmd, sample=False, timeout=None):
    """Runs a program. Status None: it took longer than the timeout."""
    return _run(cmd, cmd[0] if sample else None, timeout)


def _folder_bytes(folder):
    total = 0
    for base, _, names in os.walk(folder):
        for n in names:
            try:
                total += os.stat(os.path.join(base, n)).st_blocks * 512
            except OSError:
                pass
    return total


def run_recorded(forerun, folder, program, args, sample, options=None):
    """Runs a program under `forerun record` into `folder`, which must not exist."""
    shutil.rmtree(folder, ignore_errors=True)
    cmd = [forerun, "record", "-o", folder, "--", program] + args
    env = dict(os.environ)
    if options:
        env["FORERUN_OPTIONS"] = options
    r = _run(cmd, program if sample else None, env=env)
    if r.status != 0:
        raise Failure("%s\nended with status %d:\n%s" % (" ".join(cmd), r.status, r.errors))
    with open(os.path.join(folder, "run.json")) as f:
        r.run = json.load(f)
    r.trace_bytes = os.stat(os.path.join(folder, "trace")).st_size
    r.folder_bytes = _folder_bytes(folder)
    return r


def median(values):
    v = sorted(values)
    n = len(v)
    return v[n // 2] if n % 2 else (v[n // 2 - 1] + v[n // 2]) / 2


def geometric_mean(values):
    product = 1.0
    for v in values:
        product *= v
    return product ** (1.0 / len(values)) if values else float("nan")


def say(text=""):
    print(text, flush=True)


def progress(text):
    if sys.stderr.isatty():
        sys.stderr.write("\r\033[K" + text)
        sys.stderr.flush()


def counter(run, name):
    """Returns a counter of the runtime, from run.json."""
    return run.get("counters", {}).get(name, 0)
