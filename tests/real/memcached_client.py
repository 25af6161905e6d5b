"""Concurrent clients of a memcached on a Unix socket: each works on keys of its own and one counter of all.

Prints what they got, which depends on nothing but the server's being right.
"""
import socket
import sys
import threading

CLIENTS = 4
STEPS = int(sys.argv[2]) if len(sys.argv) > 2 else 150


class Client:
    def __init__(self, path):
        self.s = socket.socket(socket.AF_UNIX)
        self.s.connect(path)
        self.f = self.s.makefile("rb")

    def line(self, text, data=None):
        out = text.encode() + b"\r\n"
        if data is not None:
            out += data + b"\r\n"
        self.s.sendall(out)
        return self.f.readline().decode().strip()

    def get(self, key):
        head = self.line("get " + key)
        if head == "END":
            return None
        n = int(head.split()[3])
        data = self.f.read(n + 2)[:-2]
        if self.f.readline() != b"END\r\n":
            raise RuntimeError("no END")
        return data


def work(path, number, wrong):
    c = Client(path)
    for i in range(STEPS):
        key = "k%d.%d" % (number, i % 20)
        data = bytes((number * 31 + i * 7 + j) & 0xff for j in range(10 + (i * 37) % 3000))
        if c.line("set %s 0 0 %d" % (key, len(data)), data) != "STORED":
            wrong.append("set " + key)
        if c.get(key) != data:
            wrong.append("get " + key)
        if i % 5 == 0:
            c.line("incr counter 3")
        if i % 7 == 0 and c.line("delete " + key) != "DELETED":
            wrong.append("delete " + key)
    c.s.close()


def main():
    path = sys.argv[1]
    first = Client(path)
    first.line("set counter 0 0 1", b"0")
    wrong = []
    threads = [threading.Thread(target=work, args=(path, n, wrong)) for n in range(CLIENTS)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    print("counter", first.get("counter").decode().strip())
    print("wrong", sorted(wrong))
    return 1 if wrong else 0


sys.exit(main())
