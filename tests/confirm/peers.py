"""Plays the peers of a program under test: peers.py WHAT ADDRESS [LOG].

clients ADDRESS N TURNS [PID]	N clients connect, and each sends TURNS lines in turn; with PID, that process then gets
				SIGTERM
"""
import os
import signal
import socket
import sys
import time


def connect(name):
    for _ in range(400):
        try:
            if name[0].isdigit():
                return socket.create_connection(("127.0.0.1", int(name)))
            s = socket.socket(socket.AF_UNIX)
            s.connect("\0" + name[1:] if name[0] == "@" else name)
            return s
        except OSError:
            time.sleep(0.05)
    sys.exit("no server at " + name)


def clients(name, number, turns, pid=None):
    s = [connect(name) for _ in range(int(number))]
    for turn in range(int(turns)):
        for i, c in enumerate(s):
            line = b"turn %d of %d\n" % (turn, i)
            c.sendall(line)
            got = b""
            while len(got) < len(line):
                part = c.recv(100)
                if not part:
                    sys.exit("closed")
                got += part
            if got != line:
                sys.exit("got %r" % got)
    for c in s:
        c.close()
    if pid:
        time.sleep(0.2)
        os.kill(int(pid), signal.SIGTERM)


{"clients": clients}[sys.argv[1]](*sys.argv[2:])
