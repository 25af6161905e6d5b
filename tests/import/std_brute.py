#!/usr/bin/env python3
"""Compares the findings of `import` and `predict` in STD traces with brute force over all reorderings.

std_brute.py FORERUN DIR SEED COUNT   random traces of 2 to 4 threads, from this seed on
std_brute.py FORERUN DIR --known      traces from the literature, with known answers

Brute force knows the text of the trace and nothing of forerun: a state is the position of each thread, and the line that
wrote each variable; a read can happen if that line is the one that it saw. Races are two accesses that are both next,
deadlocks cycles of threads that wait for a lock or a join. predict must find the same, by the lines of the events; where
several lines have one location, a line of each set of locations. DIR is for scratch. Prints the differences, then
numbers; exits with 1 if there are differences.
"""
import itertools
import json
import os
import random
import shutil
import subprocess
import sys


def parse(lines):
    """(thread, op, operand, location, line number) of each line."""
    events = []
    for number, line in enumerate(lines, 1):
        thread, op, location = line.split('|')
        op, operand = op[:-1].split('(') if '(' in op else (op, None)
        events.append((thread, op, operand, location, number))
    return events


class Brute:
    """All states that some feasible reordering comes through: races and deadlocks as sets of line numbers."""

    def __init__(self, lines):
        events = parse(lines)
        names = list(dict.fromkeys(n for e in events for n in (e[0], e[2] if e[1] == 'fork' else e[0])))
        self.number = {n: i for i, n in enumerate(names)}
        self.program = [[e for e in events if e[0] == n] for n in names]
        self.held = [self.locks_held(p) for p in self.program]
        self.forked = {}
        self.saw, last = {}, {}
        for e in events:
            if e[1] == 'fork':
                thread = self.number[e[0]]
                self.forked[self.number[e[2]]] = (thread, self.program[thread].index(e))
            elif e[1] == 'w':
                last[e[2]] = e[4]
            elif e[1] == 'r':
                self.saw[e[4]] = last.get(e[2], 0)
        self.variables = sorted({e[2] for e in events if e[1] in 'rw'})
        self.races, self.deadlocks = set(), set()
        self.walk()

    @staticmethod
    def locks_held(program):
        """Before each event, and at the end."""
        held, result = [], [frozenset()]
        for e in program:
            if e[1] == 'acq':
                held.append(e[2])
            elif e[1] == 'rel':
                held.remove(e[2])
            result.append(frozenset(held))
        return result

    def next_events(self, at):
        for t, program in enumerate(self.program):
            there = t not in self.forked or at[self.forked[t][0]] > self.forked[t][1]
            yield program[at[t]] if there and at[t] < len(program) else None

    def waits_for(self, at, t, e):
        """The thread that this one waits for, None: none."""
        if e[1] == 'acq' and e[2] not in self.held[t][at[t]]:
            for u in range(len(at)):
                if e[2] in self.held[u][at[u]]:
                    return u
        if e[1] == 'join':
            u = self.number[e[2]]
            if at[u] < len(self.program[u]):
                return u
        return None

    def look(self, at, pending):
        waits = {}
        for t, e in enumerate(pending):
            u = self.waits_for(at, t, e) if e else None
            if u is not None:
                waits[t] = u
        for a, b in itertools.combinations([e for e in pending if e and e[1] in 'rw'], 2):
            if a[2] == b[2] and 'w' in (a[1], b[1]):
                self.races.add(tuple(sorted((a[4], b[4]))))
        for t in waits:
            path, u = [t], waits[t]
            while u in waits and u not in path:
                path.append(u)
                u = waits[u]
            if u == t:
                self.deadlocks.add(tuple(sorted(pending[v][4] for v in path)))

    def walk(self):
        start = ((0,) * len(self.program), (0,) * len(self.variables))
        seen, todo = {start}, [start]
        while todo:
            at, memory = todo.pop()
            pending = list(self.next_events(at))
            self.look(at, pending)
            for t, e in enumerate(pending):
                if not e or self.waits_for(at, t, e) is not None:
                    continue
                after = memory
                if e[1] == 'join':
                    u = self.number[e[2]]
                    if u in self.forked and at[self.forked[u][0]] <= self.forked[u][1]:
                        continue
                elif e[1] == 'r' and memory[self.variables.index(e[2])] != self.saw[e[4]]:
                    continue
                elif e[1] == 'w':
                    v = self.variables.index(e[2])
                    after = memory[:v] + (e[4],) + memory[v + 1:]
                state = (at[:t] + (at[t] + 1,) + at[t + 1:], after)
                if state not in seen:
                    seen.add(state)
                    todo.append(state)


def predicted(forerun, folder, lines, *options):
    """Returns forerun's races and deadlocks, and whether the prediction is complete."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    with open(os.path.join(folder, 'in.std'), 'w', encoding='ascii') as f:
        f.write('\n'.join(lines) + '\n')
    run = os.path.join(folder, 'run')
    subprocess.run([forerun, 'import', '-o', run, os.path.join(folder, 'in.std')], check=True,
                   stdout=subprocess.DEVNULL)
    out = subprocess.run([forerun, 'predict', '--kinds', 'data-race,deadlock', '--tier', 'precise', '--jobs', '1',
                          '--format',
                          'json', *options, run], check=True, stdout=subprocess.PIPE).stdout
    result, kinds = json.loads(out), {'data-race': set(), 'deadlock': set()}
    for finding in result['findings']:
        for way in [finding] + finding['interleavings']:
            kinds[finding['kind']].add(tuple(sorted(e['line'] for e in way['events'])))
    whole = result['summary']['complete'] and not result['summary']['undecided'] and not result['summary']['untried']
    return kinds['data-race'], kinds['deadlock'], whole


# ---- random traces ----

def any_events(rng, names, locks, variables):
    """Whatever can come next, one after the other; locks are recursive now and then, some are held at the end."""
    forks = rng.random() < .5
    alive, unborn = (names[:1], names[1:]) if forks else (names[:], [])
    held, owner, open_, joined, out = {n: [] for n in names}, {}, {n: 0 for n in names}, set(), []
    share, length = rng.random() / 2, rng.randint(6, rng.choice((12, 16, 20)))

    def release(t):
        lock = held[t].pop()
        if lock not in held[t]:
            del owner[lock]
        out.append((t, 'rel', lock))

    while len(out) < length:
        t, dice = rng.choice([n for n in alive if n not in joined]), rng.random()
        lock = rng.choice(locks)
        can_join = [u for u in alive if u != t and u not in joined and not held[u] and
                    any(u == e[0] or e[1:] == ('fork', u) for e in out)]
        if unborn and dice < .25:
            alive.append(unborn.pop(0))
            out.append((t, 'fork', alive[-1]))
        elif can_join and dice < .29:
            other = rng.choice(can_join)
            joined.add(other)
            out.append((t, 'join', other))
        elif .29 <= dice < .33:
            open_[t] += 1
            out.append((t, 'begin', None))
        elif .33 <= dice < .36 and open_[t]:
            open_[t] -= 1
            out.append((t, 'end', None))
        elif dice < max(.36 + share, .5) and held[t] and rng.random() < .5:
            release(t)
        elif dice < max(.36 + share, .5) and owner.get(lock, t) == t and (lock not in held[t] or rng.random() < .3):
            owner[lock] = t
            held[t].append(lock)
            out.append((t, 'acq', lock))
        else:
            out.append((t, rng.choice('rw'), rng.choice(variables)))
    if rng.random() < .8:
        for t in names:
            while held[t]:
                release(t)
    return out


def programs(rng, names, locks, variables):
    """A program for each thread, with nested sections, forks and joins, run in some order as far as it goes."""
    program = {}
    for t in names:
        p, held = [], []
        for _ in range(rng.randint(2, 7)):
            dice, lock = rng.random(), rng.choice(locks)
            if dice < .55 and lock not in held and len(held) < 3:
                held.append(lock)
                p.append(('acq', lock))
            elif dice < .8 and held:
                p.append(('rel', held.pop(rng.randrange(len(held)) if rng.random() < .2 else -1)))
            else:
                p.append((rng.choice('rw'), rng.choice(variables)))
        program[t] = p + [('rel', lock) for lock in reversed(held)]
    if rng.random() < .6:
        for i, u in enumerate(names[1:]):
            p = program[names[0] if rng.random() < .8 else names[i]]
            place = rng.randint(0, min(len(p), 2))
            p.insert(place, ('fork', u))
            if rng.random() < .6:
                p.insert(rng.randint(place + 1, len(p)), ('join', u))
    unborn = {a for p in program.values() for o, a in p if o == 'fork'}
    left, owner, out = {t: list(p) for t, p in program.items()}, set(), []

    def can_go(t):
        if t in unborn or not left[t]:
            return False
        op, operand = left[t][0]
        return not (op == 'acq' and operand in owner) and not (op == 'join' and (operand in unborn or left[operand]))

    while ready := [t for t in names if can_go(t)]:
        t, burst = rng.choice(ready), rng.randint(1, 5)
        while burst and can_go(t):
            op, operand = left[t].pop(0)
            owner |= {operand} if op == 'acq' else set()
            owner -= {operand} if op == 'rel' else set()
            unborn -= {operand} if op == 'fork' else set()
            out.append((t, op, operand))
            burst -= 1
    return out


def random_trace(rng):
    make = rng.choice((any_events, programs))
    events = make(rng, [f'T{i}' for i in range(rng.randint(2, 4))], [f'L{i}' for i in range(rng.randint(1, 4))],
                  [f'x{i}' for i in range(rng.randint(1, 3))])
    places = rng.choice((0, 0, 1, 2, 3, 5))  # 0: each line has its own
    return [f'{t}|{op}{f"({operand})" if operand else ""}|p{rng.randrange(places) if places else i}'
            for i, (t, op, operand) in enumerate(events)]


# ---- traces with known answers ----

def philosophers(n, in_order):
    text = ''
    for i in range(n):
        a, b = sorted((i, (i + 1) % n)) if in_order else (i, (i + 1) % n)
        text += f'{i} acq F{a};{i} acq F{b};{i} rel F{b};{i} rel F{a};'
    return text


# name, events ("thread op operand;..."), races, deadlocks: lines
KNOWN = (
    ('hidden by the order of the sections', '1 w x;1 acq l;1 rel l;2 acq l;2 rel l;2 w x', {(1, 6)}, set()),
    ('sections change places', '1 acq l;1 w x;1 rel l;2 acq l;2 rel l;2 w x', {(2, 6)}, set()),
    ('WCP 1a: sections that conflict', '1 w y;1 acq l;1 w x;1 rel l;2 acq l;2 r x;2 r y;2 rel l', set(), set()),
    ('WCP 1b: the read comes before the conflict', '1 w y;1 acq l;1 w x;1 rel l;2 acq l;2 r y;2 r x;2 rel l', {(1, 6)},
     set()),
    ('a race over a third thread', '1 acq l;1 w x;1 rel l;2 acq l;2 r x;2 rel l;2 w z;2 acq m;2 rel m;3 acq m;3 rel m;3 w z',
     {(7, 12)}, set()),
    ('a read says which comes first', '1 w x;1 acq l;1 w y;1 rel l;2 acq l;2 r y;2 rel l;2 r x', set(), set()),
    ('a chain of reads', '1 w x;2 r x;2 w y;3 r y;3 w x', {(1, 2), (3, 4)}, set()),
    ('a race and a deadlock', '1 acq l;1 w x;1 acq m;1 rel m;1 rel l;2 acq m;2 acq l;2 rel l;2 rel m;2 w x', {(2, 10)},
     {(3, 7)}),
    ('behind a gate', '1 acq g;1 acq a;1 acq b;1 rel b;1 rel a;1 rel g;2 acq g;2 acq b;2 acq a;2 rel a;2 rel b;2 rel g',
     set(), set()),
    ('separated by a join', '0 fork T1;1 acq a;1 acq b;1 rel b;1 rel a;0 join T1;0 fork T2;2 acq b;2 acq a;2 rel a;2 rel b', set(), set()),
    ('separated by a read', '1 acq a;1 acq b;1 rel b;1 rel a;1 w x;2 r x;2 acq b;2 acq a;2 rel a;2 rel b', {(5, 6)},
     set()),
    ('a recursive lock', '1 acq a;1 acq a;1 rel a;1 rel a;2 acq a;2 rel a', set(), set()),
    ('a join with a lock held', '0 fork T1;1 acq a;1 rel a;0 acq a;0 join T1;0 rel a', set(), {(2, 5)}),
    ('a join of a joining thread', '0 fork T1;0 fork T2;1 acq a;1 rel a;2 join T1;0 acq a;0 join T2;0 rel a', set(),
     {(3, 5, 7)}),
    ('a thread that does nothing', '0 w x;0 fork T1;0 fork T2;2 join T1;2 w x', set(), set()),
    ('a thread that does nothing, forked by another', '0 fork T2;0 w x;0 fork T1;2 join T1;2 w x', set(), set()),
    ('accesses before the first lock', '1 begin;2 r x;2 r x;1 w x;2 begin;2 acq l;2 rel l', {(2, 4), (3, 4)}, set()),
    ('three philosophers', philosophers(3, False), set(), {(2, 6, 10)}),
    ('five philosophers', philosophers(5, False), set(), {(2, 6, 10, 14, 18)}),
    ('five in order', philosophers(5, True), set(), set()),
)


def known_trace(text):
    events = [e.split() for e in text.strip(';').split(';')]
    return [f'T{e[0]}|{e[1]}{f"({e[2]})" if len(e) > 2 else ""}|p{i}' for i, e in enumerate(events)]


# ---- comparing ----

class Comparison:
    def __init__(self, forerun, folder):
        self.forerun, self.folder = forerun, folder
        self.traces = self.races = self.deadlocks = self.bad = 0

    def compare(self, name, lines, options=(), want=None):
        brute = Brute(lines)
        races, deadlocks, whole = predicted(self.forerun, self.folder, lines, *options)
        place = [None] + [line.split('|')[2] for line in lines]
        found, all_ = [[{tuple(sorted(place[n] for n in s)) for s in sets} for sets in both]
                       for both in ((races, deadlocks), (brute.races, brute.deadlocks))]
        self.traces += 1
        self.races += len(all_[0])
        self.deadlocks += len(all_[1])
        if want and want != (brute.races, brute.deadlocks):
            print(f'{name}: brute force finds {brute.races} {brute.deadlocks}, not {want}')
        elif races - brute.races or deadlocks - brute.deadlocks or found != all_ or not whole:
            print(f'{name}: infeasible {races - brute.races} {deadlocks - brute.deadlocks}, missed', all_[0] - found[0],
                  all_[1] - found[1], '' if whole else ', something is undecided', *lines, sep='\n')
        else:
            return
        self.bad += 1

    def finish(self):
        print(f'{self.traces} traces, {self.races} races, {self.deadlocks} deadlocks, {self.bad} different')
        return 1 if self.bad else 0


def main():
    c = Comparison(sys.argv[1], os.path.join(sys.argv[2], 'std'))
    if sys.argv[3] == '--known':
        for name, text, races, deadlocks in KNOWN:
            for options in ((), ('--all',)):
                c.compare(name, known_trace(text), options, (races, deadlocks))
        return c.finish()
    for seed in range(int(sys.argv[3]), int(sys.argv[3]) + int(sys.argv[4])):
        rng = random.Random(seed)
        c.compare(f'seed {seed}', random_trace(rng), ('--all',) if seed % 2 else ())
    return c.finish()


sys.exit(main())
