#!/bin/sh
# doc/kernel-order.md lists every wrapped call, and names a test for each that imposes order.
. "$(dirname "$0")/../lib.sh"
t_ok "the tables and the wrapped calls agree" python3 "$HERE/kernel_table.py" "$SRC"
mkdir -p "$T/src/format" "$T/doc" "$T/tests/programs" "$T/tests/record" "$T/tests/kernel"
cp "$SRC/src/format/wrapped.def" "$SRC/src/format/hook_abi.h" "$T/src/format"
cp "$SRC/doc/kernel-order.md" "$T/doc"
cp -r "$SRC/tests/programs/kernel" "$T/tests/programs"
cp "$SRC"/tests/record/*.t "$T/tests/record"
cp "$SRC"/tests/kernel/*.t "$T/tests/kernel"
t_ok "a copy agrees" python3 "$HERE/kernel_table.py" "$T"
echo 'FRT_W(forgotten)' >>"$T/src/format/wrapped.def"
t_fail "a call that is not in the table is noticed" python3 "$HERE/kernel_table.py" "$T"
cp "$SRC/src/format/wrapped.def" "$T/src/format"
sed -i 's/`descriptors pipe`/`descriptors pipes`/' "$T/doc/kernel-order.md"
t_fail "a test that does not exist is noticed" python3 "$HERE/kernel_table.py" "$T"
t_done
