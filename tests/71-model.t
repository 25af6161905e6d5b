#!/bin/sh
# The model of recorded runs: for each program of the tree the recorded order is found, and the schedule checker accepts
# all of it. Where everything was seen, nothing had to be assumed.
. "$(dirname "$0")/lib.sh"
CHECK=$BUILD/tests/unit/check_run

# record NAME SOURCE: builds and records; whatever the program's status.
record()
{
	case $2 in
	*.cpp) compiler=c++ ;;
	*) compiler=cc ;;
	esac
	"$FORERUN" $compiler -g -O1 -pthread "$2" -o "$T/$1" >"$T/.log" 2>&1 || return 1
	rm -rf "$T/$1.d"
	(cd "$T" && timeout 60 "$FORERUN" record -o "$1.d" -- "./$1") >"$T/.log" 2>&1 </dev/null
	test -f "$T/$1.d/trace"
}

# Nothing is assumed: every read explained, every wake seen, all locks balanced.
for source in "$SRC"/tests/programs/predict/*.c "$SRC"/tests/programs/predict/*.cpp \
	"$SRC"/tests/programs/sync/mutex.c "$SRC"/tests/programs/sync/robust.c "$SRC"/tests/programs/sync/rwlock.c \
	"$SRC"/tests/programs/sync/cond.c "$SRC"/tests/programs/sync/sem.c "$SRC"/tests/programs/sync/barrier.c \
	"$SRC"/tests/programs/sync/c11.c "$SRC"/tests/programs/sync/tsd.c "$SRC"/tests/programs/sync/once.c; do
	test -f "$source" || continue
	n=$(basename "$source" | sed 's/\..*//')
	if ! record "$n" "$source"; then
		t_miss "$n: recorded"
		continue
	fi
	t_ok "$n: the recorded order is feasible" "$CHECK" "$T/$n.d"
	t_eq "$n: nothing is assumed" "" "$("$CHECK" "$T/$n.d" | sed 's/.* events//; s/, threads_partial [0-9]*//; s/, fails_unplaced [0-9]*//; s/, lives_ambiguous [0-9]*//')"
done

# Programs that are killed, crash, are cancelled, use handlers or uninstrumented code: feasible all the same.
for name in sync/cancel sync/exit_main sync/create sync/malloc sync/mmap sync/user sync/signal sync/ranges sync/storm \
	sync/many sync/cxx survive/longjmp survive/many_threads survive/cancel survive/detached survive/segv survive/kill \
	survive/abort survive/signal filter/share; do
	source=$SRC/tests/programs/$name.c
	test -f "$source" || source=${source%.c}.cpp
	n=$(echo $name | tr / -)
	if ! record "$n" "$source"; then
		t_miss "$n: recorded"
		continue
	fi
	t_ok "$n: the recorded order is feasible" "$CHECK" "$T/$n.d"
done

"$FORERUN" dump --model "$T/cond.d" >"$T/cond.model"
t_ok "dump --model prints each event" grep -q 'wait-begin' "$T/cond.model"
t_ok "and how many there are" grep -q '^[0-9,]* events in [0-9,]* steps' "$T/cond.model"
if [ -d "$T/abba.d" ]; then
	"$FORERUN" dump --model "$T/abba.d" >"$T/abba.model"
	t_eq "locks are called by their symbols" "a b" "$(sed -n 's/.* acquire  *[0-9]* \([^ ]*\) .*/\1/p' "$T/abba.model" | sort -u | paste -sd ' ')"
fi
cat >"$T/names.c" <<'END'
#include <pthread.h>
#include <stdlib.h>
struct box { pthread_mutex_t m; int n; };
static void *f(void *p) { struct box *b = p; pthread_mutex_lock(&b->m); b->n++; pthread_mutex_unlock(&b->m); return 0; }
int main(void)
{
	struct box *b = malloc(sizeof(*b));
	pthread_t t;
	pthread_mutex_init(&b->m, 0);
	b->n = 0;
	pthread_create(&t, 0, f, b);
	f(b);
	pthread_join(t, 0);
	free(b);
	return 0;
}
END
if record names "$T/names.c"; then
	"$FORERUN" dump --model "$T/names.d" >"$T/names.model"
	t_ok "a lock on the heap is called by its allocation" grep -q "acquire .* lock in block allocated at .*names.c:7 " "$T/names.model"
	t_ok "a field by its path" grep -q "write .* b->n " "$T/names.model"
	t_ok "a block by its allocation" grep -q "free .* block allocated at .*names.c:7 " "$T/names.model"
else
	t_miss "names: recorded"
fi
t_status "a folder that is not there" 3 "$FORERUN" dump --model "$T/none"
cp -r "$T/cond.d" "$T/damaged.d"
printf 'x' | dd of="$T/damaged.d/trace" bs=1 seek=300 conv=notrunc 2>/dev/null
t_status "a damaged trace" 3 "$FORERUN" dump --model "$T/damaged.d"
t_ok "and what is wrong with it" sh -c "\"$FORERUN\" dump --model '$T/damaged.d' 2>&1 | grep -q \"trace' is damaged at offset\""
t_done
