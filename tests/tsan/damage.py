"""damage.py IN OUT SEED: copies an ELF file with some bytes of its debug sections, or their headers, changed."""
import random
import struct
import sys

data = bytearray(open(sys.argv[1], 'rb').read())
rng = random.Random(int(sys.argv[3]))
shoff, = struct.unpack_from('<Q', data, 0x28)
shentsize, shnum, shstrndx = struct.unpack_from('<HHH', data, 0x3a)
sections = [struct.unpack_from('<IIQQQQ', data, shoff + i * shentsize) for i in range(shnum)]
names = sections[shstrndx][4]
debug = []
for i, (name, _, _, _, offset, size) in enumerate(sections):
    end = data.index(0, names + name)
    if data[names + name:end].startswith(b'.debug_') and size:
        debug.append((i, offset, size))
for _ in range(rng.randint(1, 40)):
    i, offset, size = rng.choice(debug)
    if rng.random() < 0.1:  # where the section is and how large it says it is
        data[shoff + i * shentsize + rng.randint(24, 39)] ^= 1 << rng.randint(0, 7)
    else:
        data[offset + rng.randrange(size)] = rng.randrange(256)
open(sys.argv[2], 'wb').write(data)
