"""Plays the peers of a program under test: peers.py WHAT ADDRESS [LOG].

clients ADDRESS N TURNS [PID]	N clients connect, and each sends TURNS lines in turn; with PID, that process then gets
				SIGTERM
server ADDRESS N TURNS		accepts N clients, and answers TURNS questions of each with the numbers 1, 2 ...
datagrams ADDRESS TURNS		answers TURNS datagrams that come to ADDRESS with the numbers 1, 2 ...
questions ADDRESS TURNS		sends the numbers 1 to TURNS to ADDRESS as datagrams, and waits for each answer
fifo PATH N			makes a FIFO and writes N digits into it
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


def listen(name, kind):
    if name[0].isdigit():
        s = socket.socket(socket.AF_INET, kind)
        s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        s.bind(("127.0.0.1", int(name)))
    else:
        s = socket.socket(socket.AF_UNIX, kind)
        s.bind(name)
    print("ready", flush=True)
    return s


def server(name, number, turns):
    s = listen(name, socket.SOCK_STREAM)
    s.listen(8)
    clients = [s.accept()[0] for _ in range(int(number))]
    answer = 0
    for _ in range(int(turns)):
        for c in clients:
            c.recv(100)
            answer += 1
            c.sendall(b"%d\n" % answer)
    for c in clients:
        c.recv(100)
        c.close()


def datagrams(name, turns):
    s = listen(name, socket.SOCK_DGRAM)
    for i in range(int(turns)):
        _, sender = s.recvfrom(100)
        s.sendto(b"%d\n" % (i + 1), sender)


def questions(name, turns):
    s = socket.socket(socket.AF_INET if name[0].isdigit() else socket.AF_UNIX, socket.SOCK_DGRAM)
    to = ("127.0.0.1", int(name)) if name[0].isdigit() else name
    if not name[0].isdigit():
        s.bind(name + ".from")
    s.settimeout(0.2)
    for i in range(int(turns)):
        for _ in range(200):
            try:
                s.sendto(b"%d\n" % (i + 1), to)
                s.recvfrom(100)
                break
            except OSError:
                time.sleep(0.05)


def fifo(path, number):
    if not os.path.exists(path):
        os.mkfifo(path)
    print("ready", flush=True)
    with open(path, "w") as f:
        for i in range(int(number)):
            f.write("%d" % (i + 1))
            f.flush()
            time.sleep(0.05)


{"clients": clients, "server": server, "datagrams": datagrams, "questions": questions, "fifo": fifo}[sys.argv[1]](*sys.argv[2:])
