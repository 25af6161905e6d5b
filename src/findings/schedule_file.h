/*
 * Writes and reads schedule files (format/schedule_text.h). The reader verifies the checksum of the
 * text, that the hooks of a thread's turns increase, and that kinds are known.
 */
#ifndef FR_FINDINGS_SCHEDULE_FILE_H
#define FR_FINDINGS_SCHEDULE_FILE_H

#include "base/err.h"
#include "base/mem.h"
#include "format/schedule_text.h"
#include "model/meeting.h"
#include <stdbool.h>
#include <stdint.h>

struct fr_sched_turn {
	uint32_t thread; /* index in fr_sched.thread */
	uint64_t hook;
};
struct fr_sched_hook {
	uint32_t thread;
	uint64_t hook;
	uint8_t kind; /* enum fr_event_kind */
	uint32_t site;
	bool known;
	uint64_t value;
	enum fr_role role; /* of an event or a target; FR_ROLE_NONE for an expectation */
	uint32_t memory;   /* likewise; see format/schedule_text.h */
};
struct fr_sched_module {
	char *build_id; /* hex; NULL: none */
	char *path;
};
struct fr_sched {
	uint8_t run_id[16];
	char *kind;
	enum fr_meeting meeting;
	FR_VEC(struct fr_sched_module) module;
	FR_VEC(char *) thread; /* paths */
	uint64_t prefix;       /* for writing: number of turns from the folder's schedule */
	FR_VEC(struct fr_sched_turn) turn;
	FR_VEC(struct fr_sched_hook) expect, event, target;
	FR_VEC(uint64_t) last; /* while it is made: last hook of each thread */
};
void fr_sched_clear(struct fr_sched *s);

/* Returns the index of a thread; adds it if it is absent. */
uint32_t fr_sched_thread(struct fr_sched *s, const char *path);
/* Adds a turn, or extends the last one. Does nothing if the thread is already past the hook. */
void fr_sched_turn(struct fr_sched *s, uint32_t thread, uint64_t hook);

/* Replaces the file, all or nothing. */
int fr_sched_write(const char *path, const struct fr_sched *s, struct fr_err *reterr);
/* Reads the file. Takes the turns of the prefix from `../schedule`. */
int fr_sched_read(const char *path, struct fr_sched *ret, struct fr_err *reterr);
/* The same, with the contents of `../schedule` for a caller that reads several files; NULL: read it
   if needed. */
int fr_sched_read_with(const char *path, const struct fr_sched *whole, struct fr_sched *ret,
		       struct fr_err *reterr);

#endif
