"""Compares the influences of each read with the comments of a source: influence.py SOURCE LEVEL < (sites.py FILE
influence). A comment holds items `NAME [BITS] -> TARGETS [LEVELS]`, separated by semicolons. Prints the differences."""
import re
import sys

source, level = sys.argv[1:]
got = {}
for line in sys.stdin:
    left, right = line.rstrip('\n').split(' -> ')
    words = left.split()
    name, _, at = words[0].partition('@')
    key = name if not at else (int(at), name)
    targets = {re.sub(r'@\d+', '', t).replace('CALLED ', 'CALLED:') for t in right.split(', ')}
    targets = {re.sub(r'^PARAM (\S+) ', r'PARAM:\1:', t) for t in targets}
    targets = {re.sub(r'^RESULT ', 'RESULT:', t) for t in targets}
    got.setdefault(key, []).append((' '.join(w for w in words[1:] if w == 'WAITS'), targets))

checked = bad = 0
for number, text in enumerate(open(source), 1):
    for comment in re.findall(r'/\*(.*?)\*/', text):
        for item in comment.split(';'):
            if ' -> ' not in item or '...`' in item:
                continue
            left, right = item.split(' -> ')
            levels = re.search(r'\[(\d+)\]\s*$', right)
            if levels and level not in levels.group(1):
                continue
            right = re.sub(r'\[\d+\]\s*$', '', right)
            right = re.sub(r'\b(CALLED|RESULT) ', r'\1:', right)
            words = left.split()
            name, want = words[0], (' '.join(words[1:]), set(right.split()))
            key = name if name.endswith('()') else (number, name)
            checked += 1
            have = got.get(key, [])
            if not have or any(h != want for h in have):
                bad += 1
                print(f'-O{level} line {number}: {name}: want {want}, have {have}')
if bad or not checked:
    sys.exit(f'-O{level}: {bad} of {checked} differ')
