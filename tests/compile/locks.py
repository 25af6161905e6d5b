"""Compares the synchronisation objects of calls with the comments in the source: locks.py SOURCE SITES. A comment that
begins with a letter of format/site_table.h is the expected object of the call on its line. Prints each difference."""
import re
import sys

sites = [s for s in open(sys.argv[2]) if s.startswith('call ')]
wanted = 0
for number, line in enumerate(open(sys.argv[1]), 1):
    m = re.search(r'/[*/] ([LCSBOl][0-9]*( .*?)??)( \*/)?$', line.rstrip())
    if not m:
        continue
    wanted += 1
    there = [s for s in sites if re.search(r'[/ ]\S*%s:%d:' % (re.escape(sys.argv[1].rsplit('/')[-1]), number), s)]
    if not any(f'` ({m[1]})' in s for s in there):
        print(f'{sys.argv[1]}:{number}: expected {m[1]}, got:', *there)
if wanted < 5:
    print('too few comments')
