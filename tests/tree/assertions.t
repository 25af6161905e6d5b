#!/bin/sh
# Each module states its invariants as code: enough assertions for its lines (assertions.py).
. "$(dirname "$0")/../lib.sh"
t_ok 'each module has enough' python3 "$HERE/assertions.py" "$SRC"
cp -r "$SRC/src" "$T/src"
sed -i '/_assert/d' "$T"/src/lattice/*.c
t_fail 'a module without assertions' python3 "$HERE/assertions.py" "$T"
t_done
