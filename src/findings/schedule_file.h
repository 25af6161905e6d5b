/*
 * Schedule files (format/schedule_text.h), writing and reading. Reading is strict: a checksum over
 * the text must fit, turns of a thread grow, kinds are known.
 */
#ifndef FR_FINDINGS_SCHEDULE_FILE_H
#define FR_FINDINGS_SCHEDULE_FILE_H

#include "base/err.h"
#include "base/mem.h"
#include "format/schedule_text.h"
#include <stdbool.h>
#include <stdint.h>

struct fr_sched_turn {
	uint32_t thread; /* in `thread` */
	uint64_t hook;
};
struct fr_sched_hook {
	uint32_t thread;
	uint64_t hook;
	uint8_t kind; /* enum fr_event_kind */
	uint32_t site;
	bool known;
	uint64_t value;
	char *role;	/* of an event or a target; owned */
	uint32_t place; /* ditto */
};
struct fr_sched_module {
	char *build_id; /* hex; NULL: none */
	char *path;
};
struct fr_sched {
	uint8_t run_id[16];
	char *kind;
	FR_VEC(struct fr_sched_module) module;
	FR_VEC(char *) thread; /* paths */
	uint64_t prefix;       /* writing: so many turns of the folder's schedule come first */
	FR_VEC(struct fr_sched_turn) turn;
	FR_VEC(struct fr_sched_hook) expect, event, target;
	FR_VEC(uint64_t) last; /* while it is made: how far each thread has come */
};
void fr_sched_clear(struct fr_sched *s);

/* The index of a thread, added if it is not there. */
uint32_t fr_sched_thread(struct fr_sched *s, const char *path);
/* Adds a turn, or makes the last one longer; nothing if the thread has come so far already. */
void fr_sched_turn(struct fr_sched *s, uint32_t thread, uint64_t hook);

/* Replaces the file, all or nothing. */
int fr_sched_write(const char *path, const struct fr_sched *s, struct fr_err *reterr);
/* The turns of the prefix are read from `../schedule` and put in front. */
int fr_sched_read(const char *path, struct fr_sched *ret, struct fr_err *reterr);
/* The same, with what `../schedule` has, for who reads several that refer to it; NULL: not there.
 */
int fr_sched_read_with(const char *path, const struct fr_sched *whole, struct fr_sched *ret,
		       struct fr_err *reterr);

#endif
