#!/usr/bin/env python3
"""Compares the source tree with the table of modules in doc/architecture.md.

layers.py SOURCE-TREE BUILD: checks includes, dependencies that build files declare, symbols that libraries use, that no
two files, no two structures and no functions of two modules have the same name, that the overview of each module
mentions all its files, and that nobody committed a compiled program or a run folder.
Prints each disagreement; exit status 0 if there is none.
"""
import fnmatch
import glob
import os
import re
import subprocess
import sys

tree, build = sys.argv[1], sys.argv[2]
problems = []


def read(path):
    with open(os.path.join(tree, path), encoding='utf-8') as f:
        return f.read()


def table():
    rows = re.findall(r'^\| `(\w+)` \| .* \|([^|]*)\|$', read('doc/architecture.md'), re.M)
    return {name: set(re.findall(r'`(\w+)`', uses)) for name, uses in rows}


def closure(direct):
    """All that each module reaches, itself included."""
    full = {}
    for name in direct:
        todo, seen = [name], set()
        while todo:
            x = todo.pop()
            if x not in seen:
                seen.add(x)
                todo += direct.get(x, ())
        full[name] = seen
    return full


def check_table(direct):
    folders = {f for f in os.listdir(os.path.join(tree, 'src')) if os.path.isdir(os.path.join(tree, 'src', f))}
    for name in folders ^ set(direct):
        problems.append(f'doc/architecture.md: {name} is a row without a folder, or a folder without a row')
    for name, uses in direct.items():
        problems.extend(f'doc/architecture.md: {name} may use {u}, which has no row' for u in uses - set(direct))
        problems.extend(f'doc/architecture.md: {name} and {u} use each other' for u in uses
                        if name in closure(direct).get(u, ()))


def includes():
    """(file, module, included module) of each include within src."""
    for path in sorted(glob.glob(os.path.join(tree, 'src/**/*'), recursive=True)):
        if not path.endswith(('.c', '.h', '.cpp', '.def')):
            continue
        rel = os.path.relpath(path, tree)
        for name in re.findall(r'^\s*#\s*include\s+"([^"]+)"', read(rel), re.M):
            for base in (os.path.dirname(path), os.path.join(tree, 'src')):
                target = os.path.normpath(os.path.join(base, name))
                if os.path.exists(target):
                    target = os.path.relpath(target, tree)
                    if target.startswith('src/'):
                        yield rel, rel.split('/')[1], target.split('/')[1]
                    break


def declared():
    """Modules that each library's build file names."""
    found = {}
    for path in glob.glob(os.path.join(tree, 'src/*/meson.build')):
        name = os.path.basename(os.path.dirname(path))
        text = read(os.path.relpath(path, tree))
        found[name] = set(re.findall(r'\bfr_(\w+)_dep\b', text)) & set(os.listdir(os.path.join(tree, 'src'))) - {name}
    return found


def symbols(module):
    """Symbols that a module's libraries define, and those that they need from elsewhere."""
    has, needs = set(), set()
    for lib in glob.glob(os.path.join(build, 'src', module, 'libfr_*.a')):
        out = subprocess.run(['nm', lib], capture_output=True, text=True, check=True).stdout
        for kind, name in re.findall(r' ([A-Za-z]) (fr_\w+)$', out, re.M):
            (needs if kind == 'U' else has).add(name)
    return has, needs - has


def check_names():
    """A file stem, a struct tag and a function's name mean one thing in the whole tree."""
    stems, tags, functions = {}, {}, {}
    for path in glob.glob(os.path.join(tree, 'src/**/*.[ch]'), recursive=True):
        rel = os.path.relpath(path, tree)
        stems.setdefault(os.path.splitext(os.path.basename(rel))[0], set()).add(os.path.dirname(rel))
        for tag in re.findall(r'^(?:static )?(?:const )?(?:struct|union|enum) (\w+) \{', read(rel), re.M):
            tags.setdefault(tag, []).append(rel)
        for name in re.findall(r'^(?!static)[a-z][\w *]*?\b(frt?_\w+)\([^;]*?\)\n\{', read(rel), re.M):
            functions.setdefault(name, set()).add(rel.split(os.sep)[1])
    problems.extend(f'{stem}: files of this name in {", ".join(sorted(where))}' for stem, where in stems.items()
                    if len(where) > 1)
    problems.extend(f'{name}: functions of this name in {", ".join(sorted(where))}' for name, where in functions.items()
                    if len(where) > 1)
    problems.extend(f'{tag}: bodies in {" and ".join(where)}' for tag, where in tags.items() if len(where) > 1)


def head_comment(rel):
    """The comment with which a file opens, '' if there is none."""
    found = re.match(r'\s*/\*.*?\*/', read(rel), re.S)
    return found.group() if found else ''


def check_overviews():
    """The headers in the third column of the table mention every file of their module: NAME.c, NAME.h or NAME_*.c."""
    rows = re.findall(r'^\| `(\w+)` \| .* \| ([^|]*) \|[^|]*\|$', read('doc/architecture.md'), re.M)
    for module, column in rows:
        files = [os.path.relpath(p, tree) for p in glob.glob(os.path.join(tree, 'src', module, '**/*'), recursive=True)
                 if p.endswith(('.c', '.h', '.cpp'))]
        headers = [f'src/{module}/{name}' for name in re.findall(r'`([\w/]+\.h)`', column)]
        missing = [h for h in headers if h not in files]
        if missing or not headers:
            problems.append(f'doc/architecture.md: the overview of {module} names no header of that module')
            continue
        text = ' '.join(map(head_comment, headers))
        named = set(re.findall(r'[\w*]+(?=\.(?:c|h|cpp)\b)', text)) | {os.path.basename(h)[:-2] for h in headers}
        for stem in sorted({os.path.splitext(os.path.basename(rel))[0] for rel in files}):
            if not any(fnmatch.fnmatchcase(stem, n) for n in named):
                problems.append(f'{" and ".join(headers)}: the head comment does not mention the file {stem} of {module}')


def check_committed():
    """Programs and run folders are results: a run folder also contains its owner's environment."""
    if not os.path.exists(os.path.join(tree, '.git')):
        return
    names = subprocess.run(['git', '-C', tree, 'ls-files', '-z'], capture_output=True, text=True, check=True).stdout
    for rel in names.split('\0')[:-1]:
        path = os.path.join(tree, rel)
        if os.path.basename(rel) == 'run.json':
            problems.append(f'{rel}: git contains a run folder')
        elif os.path.isfile(path):
            with open(path, 'rb') as f:
                if f.read(4) == b'\x7fELF':
                    problems.append(f'{rel}: git contains a compiled program')


def main():
    direct = table()
    check_committed()
    check_table(direct)
    check_names()
    check_overviews()
    allowed = closure(direct)
    builds = declared()
    linked = closure(builds)
    for rel, module, target in includes():
        if target not in allowed.get(module, ()):
            problems.append(f'{rel}: {module} may not use {target}')
        if target not in linked.get(module, {target}) and target != 'format' and module not in ('pass', 'runtime',
                'cmd'):
            problems.append(f'{rel}: src/{module}/meson.build does not declare {target}')
    for module, uses in builds.items():
        problems.extend(f'src/{module}/meson.build: {module} may not use {u}' for u in uses - allowed.get(module,
                set()))
    known = {m: symbols(m) for m in direct}
    if not any(has for has, _ in known.values()):
        problems.append(f'{build}: no library found')
    for module, (_, needs) in known.items():
        offered = set().union(*(known[m][0] for m in linked.get(module, ()) if m in known))
        for s in sorted(needs - offered):
            owner = next((m for m in known if s in known[m][0]), None)
            if owner:
                problems.append(f'src/{module}/meson.build: uses {s} of {owner}, which it does not declare')
    print('\n'.join(problems) if problems else 'the tree agrees with doc/architecture.md')
    sys.exit(bool(problems))


main()
