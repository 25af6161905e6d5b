#!/bin/sh
# The model of recorded runs: for each program of the tree, forerun finds a recorded order, and the schedule checker
# accepts it. If the trace is complete, the model contains no guess.
. "$(dirname "$0")/../lib.sh"
CHECK=$BUILD/tests/unit/check_run

# record NAME SOURCE: builds and records; whatever the program's status.
record()
{
	"$FORERUN" "$(compiler "$2")" -g -O1 -pthread "$2" -o "$T/$1" >"$T/.log" 2>&1 || return 1
	rm -rf "$T/$1.d"
	(cd "$T" && timeout 60 "$FORERUN" record $(order "$2") -o "$1.d" -- "./$1") >"$T/.log" 2>&1 </dev/null
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
	t_eq "$n: nothing is assumed" "" \
		"$("$CHECK" "$T/$n.d" | sed \
		's/.* events//; s/, threads_partial [0-9]*//; s/, fails_unplaced [0-9]*//; s/, lives_ambiguous [0-9]*//')"
done

# Programs that are killed, crash, are cancelled, use handlers or uninstrumented code: feasible all the same.
for name in sync/cancel sync/exit_main sync/create sync/malloc sync/mmap sync/user sync/signal sync/ranges sync/storm \
	sync/many sync/cxx survive/longjmp survive/many_threads survive/cancel survive/detached survive/segv \
	survive/kill \
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
t_ok "dump --model counts events" grep -q '^[0-9,]* events in [0-9,]* steps' "$T/cond.model"
# Two threads without stamps wait for a third one, not for each other for ever.
record announce "$SRC/tests/programs/record-order/announce.c"
t_ok "threads that spin do not wait for each other: the recorded order ends" timeout 60 "$CHECK" "$T/announce.d"

if [ -d "$T/abba.d" ]; then
	"$FORERUN" dump --model "$T/abba.d" >"$T/abba.model"
	t_eq "locks have the names of their symbols" "a b" \
		"$(sed -n 's/.* acquire  *[0-9]* \([^ ]*\) .*/\1/p' "$T/abba.model" | sort -u | paste -sd ' ')"
fi
cat >"$T/names.c" <<'END'
#include <pthread.h>
#include <stdlib.h>
struct box { pthread_mutex_t m; int n; };
static void *bare;
static void *f(void *p)
{
	struct box *b = p;
	pthread_mutex_lock(&b->m);
	b->n++;
	pthread_mutex_unlock(&b->m);
	pthread_mutex_lock(bare);
	((int *)bare)[40]++;
	pthread_mutex_unlock(bare);
	return 0;
}
int main(void)
{
	struct box *b = malloc(sizeof(*b));
	pthread_t t;
	pthread_mutex_init(&b->m, 0);
	bare = calloc(1, 200);
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
	t_ok "a lock on the heap has its name in the source" grep -q "acquire .* b->m " "$T/names.model"
	t_ok "... or the place of its allocation" grep -q "acquire .* lock [0-9]* (.*names.c:21) " "$T/names.model"
	t_ok "a field has its path" grep -q "write .* b->n " "$T/names.model"
	t_ok "a block has the place of its allocation" grep -q "free .* block allocated at .*names.c:18 " \
		"$T/names.model"
else
	t_miss "names: recorded"
fi

# Programs that work on arrays: the model contains only events that can be in another order.
cat >"$T/array.h" <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#define ROWS 16
static long width; /* known at run time only; rows far apart */
static double *a;
static pthread_barrier_t barrier;
__attribute__((noinline)) static void column(double *p, long first, int rows, double v)
{
	for (int i = 0; i < rows; i++)
		p[(first + i) * width] = v;
}
END
cat >"$T/rows.c" <<'END'
#include "array.h"
static void *f(void *p)
{
	long self = *(long *)p;
	for (int round = 0; round < 4; round++) {
		column(a, (self + round) % 2 * ROWS, ROWS + (OVERLAP && !self && round == 3), round);
		pthread_barrier_wait(&barrier);
	}
	return 0;
}
int main(int argc, char **argv)
{
	pthread_t t[2];
	static long id[2] = {0, 1};
	(void)argv;
	width = 4096 * argc;
	a = calloc(3 * ROWS * width, sizeof(double));
	pthread_barrier_init(&barrier, 0, 2);
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], 0, f, &id[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], 0);
	free(a);
	return 0;
}
END
sed 's/OVERLAP/0/' "$T/rows.c" >"$T/rows0.c"
# Thread 0 takes a row of thread 1's in the third round: those two writes, the one before them, and all after them.
sed 's/OVERLAP/1/; s/round == 3/round == 2/' "$T/rows.c" >"$T/rows1.c"
for i in 0 1; do
	if record rows$i "$T/rows$i.c"; then
		t_ok "rows$i: the recorded order is feasible" "$CHECK" "$T/rows$i.d"
		t_eq "rows$i: writes that can be in another order" "$((i * 4))" \
			"$("$FORERUN" dump --model "$T/rows$i.d" | grep -c ' write .*column')"
		first=$("$FORERUN" dump "$T/rows$i.d" | sed -n \
			's/.* alloc  *\(0x[0-9a-f]*\) .* calloc 1572864 bytes.*/\1/p')
		t_ok "rows$i: rows far apart are recorded where they are" sh -c \
			"test -n '$first' && \"$FORERUN\" dump '$T/rows$i.d' | grep -q 'range-write .* $first  *16 x 8 bytes, every 32768'"
	else
		t_miss "rows$i: recorded"
	fi
done
cp "$SRC/tests/programs/model/buffers.c" "$T/buffers.c"
if record buffers "$T/buffers.c"; then
	t_ok "buffers: the recorded order is feasible" "$CHECK" "$T/buffers.d"
	t_ok "a range is one event where nothing divides it" test \
		"$("$FORERUN" dump --model "$T/buffers.d" | grep -c ' range ')" -lt 100
else
	t_miss "buffers: recorded"
fi
t_status "a missing folder is an error" 3 "$FORERUN" dump --model "$T/none"
cp -r "$T/cond.d" "$T/damaged.d"
printf 'x' | dd of="$T/damaged.d/trace" bs=1 seek=300 conv=notrunc 2>/dev/null
t_status "a damaged trace" 3 "$FORERUN" dump --model "$T/damaged.d"
t_ok "the message names the damage" sh -c \
	"\"$FORERUN\" dump --model '$T/damaged.d' 2>&1 | grep -q \"trace' is damaged at offset\""
t_done
