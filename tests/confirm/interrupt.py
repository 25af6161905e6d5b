#!/usr/bin/env python3
"""interrupt.py LOG COUNT AWAITED COMMAND...: runs COMMAND on one core, as a terminal does, and presses Ctrl-C after
COUNT lines of the debug log LOG (FORERUN_DEBUG). AWAITED is FILE=TEXT or "": the log continues when FILE contains TEXT.

The log is a pipe with room for one write, so that the command stops at its next line until the helper reads on. The
helper reads on after the command has received the signal: its handler is then no longer set. Prints the log and the
messages. The exit status is that of the command."""
import fcntl
import os
import signal
import subprocess
import sys
import time

log, count, awaited = sys.argv[1], int(sys.argv[2]), sys.argv[3]
deadline = time.monotonic() + 240


def wait_for(condition):
    while not condition():
        if p.poll() is not None or time.monotonic() > deadline:
            os.killpg(p.pid, signal.SIGKILL) if p.poll() is None else None
            sys.exit("interrupt.py: the command did not get there")
        time.sleep(0.01)


def handler_is_set():
    with open("/proc/%d/status" % p.pid) as f:
        caught = next(line for line in f if line.startswith("SigCgt:"))
    return int(caught.split()[1], 16) >> (signal.SIGINT - 1) & 1


def contains():
    name, text = awaited.split("=", 1)
    return os.path.exists(name) and text in open(name).read()


out, end = os.pipe2(os.O_DIRECT | os.O_CLOEXEC)
fcntl.fcntl(end, fcntl.F_SETPIPE_SZ, 4096)
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
signal.signal(signal.SIGINT, signal.SIG_DFL)
p = subprocess.Popen(sys.argv[4:], stdin=subprocess.DEVNULL, stderr=end, start_new_session=True,
                     env=dict(os.environ, FORERUN_DEBUG=log))
os.close(end)
text = b""
while text.count(b"forerun[%s]: " % log.encode()) < count:
    more = os.read(out, 4096)
    if not more:
        break
    text += more
wait_for(handler_is_set)
os.killpg(p.pid, signal.SIGINT)
wait_for(lambda: not handler_is_set())
if awaited:
    wait_for(contains)
while True:
    more = os.read(out, 4096)
    if not more:
        break
    text += more
sys.stdout.buffer.write(text)
sys.stdout.flush()
status = p.wait()
sys.exit(status if status >= 0 else 128 - status)
