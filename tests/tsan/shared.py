"""shared.py VARS BIAS <dump: accesses to the variables, as THREAD KIND SIZE NAME+OFFSET VALUE, one a line."""
import re
import sys

variables = []
bias = int(sys.argv[2], 0)
for line in open(sys.argv[1]):
    address, name = line.split()
    variables.append((int(address, 16) + bias, name))
variables.sort(reverse=True)

thread = '?'
for line in sys.stdin:
    if line.startswith('thread '):
        thread = line.split()[1]
        continue
    match = re.match(r' *\d+  (\S+) (\d+) .*?\b(0x[0-9a-f]+) +(= .*?)  +\S', line)
    if not match:
        continue
    kind, size, address, value = match.groups()
    address = int(address, 16)
    for start, name in variables:
        if start <= address < start + 16:
            print(thread, kind, size, f'{name}+{address - start}', value)
            break
