/* Recorded runs made by hand: slots of each thread, with indices and stamps as the runtime gives
 * them. */
#ifndef FR_TESTS_RUNS_H
#define FR_TESTS_RUNS_H

#include "fixture.h"

#define RUN_THREADS 16

struct run {
	struct run_thread {
		FR_VEC(struct fr_event) slot;
		uint32_t hook, parent, nth, children;
	} thread[RUN_THREADS + 1]; /* by id, from 1 */
	uint64_t stamp;
	bool incomplete;
	struct fr_initial *initial; /* what memory held at the start; NULL: not known */
};

/* A hook of a thread: an access, or an event without a stamp. */
void run_put(struct run *r, uint32_t t, unsigned kind, uint64_t addr, unsigned aux, uint64_t value);
/* An event with the next stamp. */
void run_sync(struct run *r, uint32_t t, unsigned kind, uint64_t addr, unsigned aux);
void run_ext(struct run *r, uint32_t t, uint64_t addr, uint64_t value, uint32_t site);
/* Accesses of `size` bytes. */
void run_read(struct run *r, uint32_t t, uint64_t addr, unsigned size, uint64_t value);
void run_write(struct run *r, uint32_t t, uint64_t addr, unsigned size, uint64_t value);
/* Thread `t` makes thread `child`, which starts. */
void run_fork(struct run *r, uint32_t t, uint32_t child);
void run_lock(struct run *r, uint32_t t, uint64_t addr);
void run_unlock(struct run *r, uint32_t t, uint64_t addr);
void run_exit(struct run *r, uint32_t t);
void run_join(struct run *r, uint32_t t, uint32_t child);
/* Memory [addr, addr + size) held these bytes at the start; NULL: zeros. Call it with rising
   addresses. */
void run_initial(struct run *r, uint64_t addr, const void *bytes, size_t size);
/* Writes it into a folder and forgets it. */
void run_save(struct run *r, const char *dir);
/* The same, and loads it; the folder is removed. */
struct fr_model;
struct fr_model *run_load(struct run *r);
/* After loading: all was read and counted, once. */
struct fr_load_progress;
void run_check_progress(const struct fr_load_progress *p, const struct fr_model *m);
/* All of the recorded order is feasible, says the checker that knows nothing of the loader. */
void run_check_feasible(const struct fr_model *m);
/* The events as text: "0 acquire, 1 read 5, ..."; + is a part, ~ put in, ! timed out. Valid until
   the next call. */
const char *run_text(const struct fr_model *m);
/* Loads it: that must be feasible, and the text. */
void run_expect(struct run *r, const char *want);

#endif
