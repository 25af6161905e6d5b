/*
 * A recording in a fixed order (--order). The threads of the program run one at a time, under the
 * controller that re-executions use (runtime/control/ctl.h): a thread runs until it must wait or
 * ends. Then the next turn of the order begins. After the last turn, the next thread in the order
 * of creation runs.
 *
 * Text:      "creation", "random:SEED", or turns with commas between them. A turn is the number of
 *            a thread, 0 for the main thread and n for the n-th thread that the program creates.
 *            With "+", the turn also ends when the thread has created another thread. In a random
 *            order, a turn also ends after a random number of hooks, and a random thread is next.
 * Loops:     a thread that has executed ORDER_QUANTUM hooks lets others run: it may wait in a loop
 *            for one of them.
 * Skipped:   the turn of a thread that does not exist, has ended or must wait; the control file
 *            counts them, and fr_run_order_warning reports them.
 * Time:      is virtual, as in re-executions. Sleeps and timeouts end in the order of their times,
 *            when no thread can run, and take no real time unless something outside can act. A
 *            thread that uses up its hooks, or yields, takes about as much virtual time as real
 *            time.
 * Trace:     is like that of any other recording, with the answers that the program got.
 */
#ifndef FR_RECORD_RUN_ORDER_H
#define FR_RECORD_RUN_ORDER_H

#include "base/err.h"
#include "base/mem.h"
#include "process/turn_watch.h"

struct fr_run_order {
	const char *text; /* as given; NULL: no order, the operating system decides */
	FR_VEC(struct fr_control_file_turn) turn;
	uint64_t seed; /* of a random order; 0: none */
};
/* text may be NULL: no order. ret keeps it. */
int fr_run_order_parse(const char *text, struct fr_run_order *ret, struct fr_err *reterr);
void fr_run_order_free(struct fr_run_order *o);

/* The control file of a recording in a fixed order; {0} if there is none. */
struct fr_run_order_file {
	struct fr_control_file *c;
	size_t size, turns;
	int fd;
	char path[64]; /* valid while this process lives and fd is open */
	struct fr_turn_watch watch;
};
int fr_run_order_open(struct fr_run_order_file *f, const struct fr_run_order *o,
		      struct fr_pool *pool, struct fr_err *reterr);
void fr_run_order_close(struct fr_run_order_file *f);
/* After the run: returns a warning if a turn was skipped or not reached, as a new string, or
   NULL. */
char *fr_run_order_warning(const struct fr_run_order_file *f);

#endif
