#!/bin/sh
# No filter loses an event that matters for prediction: each recording is compared with one without the filter.
. "$(dirname "$0")/../lib.sh"

share=$SRC/tests/programs/filter/share.c
# Variables lie at the same addresses in every build.
fixed="-pthread -no-pie -Wl,-Tdata=0x4000000 -Wl,-Tbss=0x5000000"

record() # record NAME PROGRAM OPTION...: names of one length, so that stacks lie at the same addresses
{
	run=$T/run.$1 prog=$2
	shift 2
	for o; do set -- "$@" --option "$o"; shift; done
	"$FORERUN" record -q -o "$run" "$@" "$prog" >/dev/null
}

check() { python3 "$HERE/filter_check.py" "$FORERUN" "$@"; }

for opt in O0 O2; do
	t_ok "$opt: the program builds" "$FORERUN" cc -$opt -g $fixed "$share" -o "$T/share"
	record full.$opt "$T/share" private=0 repeat=0
	record dflt.$opt "$T/share"
	record hot1.$opt "$T/share" hot=1
	record priv.$opt "$T/share" hot=1 repeat=0
	record rept.$opt "$T/share" hot=1 private=0
	t_ok "$opt: default filters" check "$T/run.full.$opt" "$T/run.dflt.$opt" --same-code
	t_ok "$opt: every site hot" check "$T/run.full.$opt" "$T/run.hot1.$opt" --same-code
	t_ok "$opt: private alone, every site hot" check "$T/run.full.$opt" "$T/run.priv.$opt" --same-code
	t_ok "$opt: repeat alone, every site hot" check "$T/run.full.$opt" "$T/run.rept.$opt" --same-code
	for f in ranges redundant locals; do
		t_ok "$opt: builds without $f" env FORERUN_PASS=$f=0 "$FORERUN" cc -$opt -g $fixed "$share" -o \
			"$T/share-$f"
		record "$f.no.$opt" "$T/share-$f" private=0 repeat=0
		t_ok "$opt: the pass's filter $f" check "$T/run.$f.no.$opt" "$T/run.full.$opt"
	done
done

# The comparison can fail: one that lost a thread's visits does.
t_ok "a program whose other thread does nothing" sh -c \
	"sed 's/^static void \*other(void \*arg)/static void *other(void *arg) { for (int i = 0; i < 5; i++) wait(); return arg; }\nvoid *unused(void *arg);\nvoid *unused(void *arg)/' \
	'$share' > '$T/lost.c' && '$FORERUN' cc -O2 -g $fixed '$T/lost.c' -o '$T/lost'"
record none.O2 "$T/lost" private=0 repeat=0
t_fail "the comparison notices lost accesses" check "$T/run.full.O2" "$T/run.none.O2"
t_done
