"""Runs a command, kills it with SIGKILL when it has printed "before PID", and prints the status of process PID.

    orphan.py pipe|tty|native COMMAND...

Prints the standard output, and writes the standard error into a file of its own (orphan.err). The last line is the status
of process PID. With `native`, kills nothing. With `tty`, the streams are a terminal, and the command is not the leader of
its session. The parent reaps the command at the very end.
"""
import ctypes
import os
import pty
import re
import signal
import subprocess
import sys
import time

PR_SET_CHILD_SUBREAPER = 36
how, command = sys.argv[1], sys.argv[2:]
ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
signal.alarm(300)

if how == "tty":
    leader, reader = pty.fork()
    if not leader:
        # It does nothing: when the leader of a session dies, the terminal hangs up.
        if not os.fork():
            os.execvp(command[0], command)
        while True:
            signal.pause()
    writer = reader
else:
    errors = open("orphan.err", "wb")
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors)
    reader, writer = process.stdout.fileno(), process.stdin.fileno()

out = b""


def more():
    global out
    try:
        data = os.read(reader, 65536)
    except OSError:
        data = b""
    out += data
    return data


while not re.search(rb"before \d+\r?\n", out) and more():
    pass
pid = int(re.search(rb"before (\d+)", out).group(1))
if how != "native":
    # The command: the parent of the process that spoke.
    with open("/proc/%d/stat" % pid) as f:
        parent = int(f.read().rsplit(")", 1)[1].split()[1])
    os.kill(parent, signal.SIGKILL)
    time.sleep(0.1)  # the others may notice the death at any time from now on; nothing shows that they have
os.write(writer, b"a line\n")
while how != "tty" or not re.search(rb"counted.*\n", out[-200:]):
    if not more():
        break
if how == "native":
    status = process.wait()
else:
    status = None
    while status is None:
        gone, raw = os.waitpid(-1, 0)
        if gone == pid:
            status = os.waitstatus_to_exitcode(raw)
if how == "tty":
    os.kill(leader, signal.SIGKILL)
    while more():
        pass
sys.stdout.buffer.write(re.sub(rb"before \d+", b"before", out.replace(b"\r", b"")))
print("status", status)
