/*
 * Schedule files (format/schedule_text.h): builds, writes and reads them. The reader verifies the
 * checksum of the text, that the hooks of a thread's turns increase, and that event kinds are
 * known.
 */
#ifndef FR_FINDINGS_SCHEDULE_FILE_H
#define FR_FINDINGS_SCHEDULE_FILE_H

#include "base/err.h"
#include "base/mem.h"
#include "format/schedule_text.h"
#include "model/candidate.h"
#include "model/meeting.h"
#include "model/model.h"
#include <stdbool.h>
#include <stdint.h>

struct fr_schedule_turn {
	uint32_t thread; /* index in fr_schedule_file.thread */
	uint64_t hook;
};
struct fr_schedule_hook {
	uint32_t thread;
	uint64_t hook;
	uint8_t kind; /* enum fr_event_kind */
	uint32_t site;
	bool known;
	uint64_t value;
	enum fr_role role; /* of an event or a target; FR_ROLE_NONE for an expectation */
	uint32_t memory;   /* likewise; see format/schedule_text.h */
};
struct fr_schedule_module {
	char *build_id; /* hex; NULL: none */
	char *path;
};
struct fr_schedule_file {
	uint8_t run_id[16];
	char *kind;
	enum fr_meeting meeting;
	enum fr_needs needs;
	FR_VEC(struct fr_schedule_module) module;
	FR_VEC(char *) thread; /* paths */
	uint64_t prefix;       /* for writing: number of turns from the folder's schedule */
	/* threads that leave the path of the recorded run, and the hook from which on */
	FR_VEC(struct fr_schedule_turn) leave;
	FR_VEC(struct fr_schedule_turn) turn;
	FR_VEC(struct fr_schedule_hook) expect, event, target;
	struct fr_candidate what; /* relaxed tier; npending 0: not known */
	FR_VEC(fr_ev) differs;	  /* the reads that may differ, in the order of the schedule */
	FR_VEC(uint64_t) last;	  /* while it is made: last hook of each thread */
};
void fr_schedule_file_clear(struct fr_schedule_file *s);
/* Copies everything but the turns, expectations, events and targets. */
void fr_schedule_file_copy_head(const struct fr_schedule_file *s, struct fr_schedule_file *ret);

/* Starts a schedule of a run: threads, modules, run id. */
void fr_schedule_file_begin(struct fr_schedule_file *s, const struct fr_model *m, const char *kind,
			    enum fr_meeting meeting);
/* Returns the index of a thread; adds it if it is absent. */
uint32_t fr_schedule_file_thread(struct fr_schedule_file *s, const char *path);
/* Adds a turn, or extends the last one. Does nothing if the thread is already past the hook. */
void fr_schedule_file_turn(struct fr_schedule_file *s, uint32_t thread, uint64_t hook);
/* Adds an event of the model: makes its thread run up to it. */
void fr_schedule_file_event(struct fr_schedule_file *s, const struct fr_model *m, fr_ev e);

/* Replaces the file, all or nothing. */
int fr_schedule_file_write(const char *path, const struct fr_schedule_file *s,
			   struct fr_err *reterr);
/* Reads the file. Takes the turns of the prefix from `../schedule`. */
int fr_schedule_file_read(const char *path, struct fr_schedule_file *ret, struct fr_err *reterr);
/* The same, with the contents of `../schedule` for a caller that reads several files; NULL: read it
   if needed. */
int fr_schedule_file_read_with(const char *path, const struct fr_schedule_file *whole,
			       struct fr_schedule_file *ret, struct fr_err *reterr);
/* Is the schedule in file `path` about a bug of this kind, with this number of events? -EBADMSG:
   no. */
int fr_schedule_file_of_bug(const struct fr_schedule_file *s, const char *kind, size_t events,
			    const char *path, struct fr_err *reterr);

#endif
