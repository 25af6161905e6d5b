"""Compares built-in kinds with the same kinds written as properties (builtin.spec): builds each C program, records it,
and predicts with the generators, then with the properties. Two findings are the same if their events are at the same
lines. Prints a line for each program with a difference, and a table at the end. Options: --expect FILE reads the known
differences ('PROGRAM KIND SIDE': 'generator' if only the generator finds it, 'property' if only the property does), and
the exit status is 1 for any other difference, and for known ones that are gone. --write prints that file."""
import collections, os, re, subprocess, sys, tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import run_folder

HERE = os.path.dirname(os.path.abspath(__file__))
FORERUN = os.environ['FORERUN']
PROGRAMS = os.path.join(HERE, '..', 'programs')
KINDS = {'property:DataRace': 'data-race', 'property:Deadlock': 'deadlock', 'property:DeadlockOfThree': 'deadlock',
         'property:NullDereference': 'null-dereference', 'property:UseAfterFree': 'use-after-free'}
BUILTIN = list(dict.fromkeys(KINDS.values()))

def head(source, key):
    return re.findall(rf'^ \* {key}: (.*)$', open(source, encoding='utf-8').read(), re.M)

def run(command, **more):
    return subprocess.run(command, capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL, **more)

def findings(folder, options):
    """The findings by kind: sets of lines of the events that are at once; or None after a failure."""
    p = run([FORERUN, 'predict', '--fail-on', 'never', '--tier', 'sliced', *options, folder])
    if p.returncode:
        return None
    found = collections.defaultdict(set)
    for f in run_folder.findings(folder):
        kind = KINDS.get(f['kind'], f['kind'])
        for i in [f, *f.get('interleavings', [])]:
            events = i['events']
            if kind == 'deadlock':
                events = events[len(events) // 2 if f['kind'] != kind else 0:]  # the acquisitions that wait
            found[f['kind'] == kind, kind].add(tuple(sorted((e['file'], e['line']) for e in events)))
    return found

def compare(source, work):
    program, folder = os.path.join(work, 'program'), os.path.join(work, 'run')
    build = [w for l in head(source, 'build') for w in l.split()]
    if run([FORERUN, 'cc', '-g', '-O1', '-pthread', source, *build, '-o', program]).returncode:
        return None
    order = [w for l in head(source, 'order') for w in ('--order', l.strip())]
    args = [w for l in head(source, 'args') for w in l.split()]
    run(['rm', '-rf', folder])
    run(['timeout', '30', FORERUN, 'record', '-q', *order, '-o', folder, '--', program, *args], cwd=work)
    if not os.path.exists(os.path.join(folder, 'run.json')):
        return None
    a = findings(folder, ['--kinds', ','.join(BUILTIN)])
    b = findings(folder, ['--kinds', 'property', '--spec', os.path.join(HERE, 'builtin.spec')])
    return None if a is None or b is None else {k: (a[True, k], b[False, k]) for k in BUILTIN}

def main():
    args = sys.argv[1:]
    expected = None
    if '--expect' in args:
        at = args.index('--expect')
        expected = set(l.split('#')[0].strip() for l in open(args[at + 1])) - {''}
        del args[at:at + 2]
    write = '--write' in args
    sources = []
    for a in args:
        path = os.path.join(PROGRAMS, a)
        if os.path.isdir(path):
            sources += sorted(os.path.join(path, f) for f in os.listdir(path) if f.endswith('.c'))
        elif not a.startswith('--'):
            sources.append(path)
    sums, got, seen = {k: [0, 0, 0] for k in BUILTIN}, set(), set()
    with tempfile.TemporaryDirectory() as work:
        for s in sources:
            name = os.path.relpath(s, PROGRAMS)
            r = compare(s, work)
            if r is None:
                continue
            seen.add(name)
            for k, (a, b) in r.items():
                for i, x in enumerate((a & b, a - b, b - a)):
                    sums[k][i] += len(x)
                got |= {f'{name} {k} {side}' for side, x in (('generator', a - b), ('property', b - a)) if x}
    for g in sorted(got) if write else []:
        print(g)
    out = sys.stderr if write else sys.stdout
    print(f'{len(seen)} programs\n{"kind":18} both  generator only  property only', file=out)
    for k, (both, only_a, only_b) in sums.items():
        print(f'{k:18} {both:4} {only_a:15} {only_b:14}', file=out)
    if expected is None:
        return 0
    known = {e for e in expected if e.split()[0] in seen}
    for g in sorted(got - known):
        print('a new difference:', g)
    for g in sorted(known - got):
        print('a known difference is gone:', g)
    return got != known or not seen

sys.exit(main())
