/*
 * How the events of a bug come together. A generator declares it, the schedule file stores it, and
 * confirm acts on it. So confirm works for every kind of bug, without knowing the kinds.
 */
#ifndef FR_MODEL_MEETING_H
#define FR_MODEL_MEETING_H

#include <stdbool.h>

/*
 * X(NAME, "name"): how the targets of a schedule happen, once all are pending.
 *
 *   NONE		there are no targets: the schedule is that of the recorded run
 *   EITHER_ORDER	one after the other; both orders show the bug
 *   IN_ORDER		one after the other, in the order of the schedule
 *   REGIONS		likewise; the events of one thread should form an atomic region. Output that
 *			is also possible with one region after the other is no harm of the bug.
 *   CYCLE		not at all: each waits for a resource that the thread of another holds
 *   HANG		as IN_ORDER, except that those in the role WAITS block for ever
 *   HARM		there are no targets: the program fails during the turns or after them
 */
#define FR_MEETINGS(X)                  \
	X(NONE, "none")                 \
	X(EITHER_ORDER, "either-order") \
	X(IN_ORDER, "in-order")         \
	X(REGIONS, "regions")           \
	X(CYCLE, "cycle")               \
	X(HANG, "hang")                 \
	X(HARM, "harm")

enum fr_meeting {
#define FR_X(n, s) FR_MEETING_##n,
	FR_MEETINGS(FR_X)
#undef FR_X
	    FR_MEETING_COUNT
};
extern const char *const fr_meeting_name[];

/* Does a schedule with this meeting have targets? */
static inline bool fr_meeting_has_targets(enum fr_meeting m)
{
	return m != FR_MEETING_NONE && m != FR_MEETING_HARM;
}

/* Two kinds of which the end of a re-execution decides which one it is. */
#define FR_KIND_ORDER "order-violation"
#define FR_KIND_WAKEUP "lost-wakeup"

/*
 * X(NAME, "name", KIND, ASLEEP): the harm without which a confirmed finding does not count. Reports
 * hide such a finding, because correct programs allow its events in either order.
 *
 *   FAILURE	the program crashes, fails an assertion, hangs, or a sanitizer reports an error; and
 *		no other finding on the same memory explains that; a hang for a wake-up makes it a
 *		lost wakeup (fr_finding_name)
 *   NULL	the target reads null, and the program crashes at an address near 0
 *   HANG	the program hangs, and a thread of it waits for a wake-up, not for a lock; and no
 *		other finding explains that
 *   BRANCH	as FAILURE, or the program exits with another status; and the value decides a
 *		branch to a failing call, which the target's thread has made
 *   TWICE	the program frees a block twice, and ends because of that
 *
 * KIND: the end of the program names the kind of such findings: ASLEEP if it hangs because a thread
 * waits for a wake-up, KIND otherwise. NULL: the generator names it.
 */
#define FR_NEEDS(X)                                          \
	X(FAILURE, "failure", FR_KIND_ORDER, FR_KIND_WAKEUP) \
	X(NULL, "null", NULL, NULL)                          \
	X(HANG, "hang", NULL, NULL)                          \
	X(BRANCH, "branch", FR_KIND_ORDER, FR_KIND_WAKEUP)   \
	X(TWICE, "twice", NULL, NULL)

enum fr_needs {
	FR_NEEDS_NO_HARM,
#define FR_X(n, s, kind, asleep) FR_NEEDS_##n,
	FR_NEEDS(FR_X)
#undef FR_X
	    FR_NEEDS_COUNT
};
/* NULL for FR_NEEDS_NO_HARM. */
extern const char *const fr_needs_name[];
/* KIND and ASLEEP of each need. */
extern const char *const fr_needs_kind[][2];

/* A finding that needs harm and has at least this doubt (struct fr_group) comes after all
   others. */
#define FR_DOUBT_UNLIKELY 256

/* Do targets of such a schedule block for ever? */
static inline bool fr_meeting_blocks(enum fr_meeting m)
{
	return m == FR_MEETING_CYCLE || m == FR_MEETING_HANG;
}

/* X(NAME, "name"): the part of an event in its bug. */
#define FR_ROLES(X)                     \
	X(FIRST, "first")               \
	X(SECOND, "second")             \
	X(WAITS, "waits")               \
	X(SIGNALS, "signals")           \
	X(TAKES, "takes")               \
	X(LOCAL_FIRST, "local-first")   \
	X(REMOTE, "remote")             \
	X(LOCAL_SECOND, "local-second") \
	X(FIRST_UNIT, "first-unit")     \
	X(SECOND_UNIT, "second-unit")   \
	X(EVENT, "event")               \
	X(FAILS, "fails")               \
	X(FREE, "free")                 \
	X(USE, "use")                   \
	X(WRITER, "writer")             \
	X(READER, "reader")             \
	X(TOO_LATE, "late")

enum fr_role {
	FR_ROLE_NONE,
#define FR_X(n, s) FR_ROLE_##n,
	FR_ROLES(FR_X)
#undef FR_X
	    FR_ROLE_COUNT
};
/* Does a target in this role block, instead of happening? */
static inline bool fr_target_blocks(enum fr_meeting m, enum fr_role r)
{
	return m == FR_MEETING_CYCLE || (m == FR_MEETING_HANG && r == FR_ROLE_WAITS);
}

/* NULL for FR_ROLE_NONE. */
extern const char *const fr_role_name[];

/* Do other interleavings of the same bug have another event in this role? */
static inline bool fr_role_varies(enum fr_role r)
{
	return r == FR_ROLE_REMOTE || r == FR_ROLE_SECOND_UNIT;
}

/* Returns whether events in this role may happen in any order. True for signals that come too
   early. */
static inline bool fr_role_in_any_order(enum fr_role r)
{
	return r == FR_ROLE_SIGNALS;
}

/* Is the event no part of the schedule, because the bug is that it happens only afterwards? */
static inline bool fr_role_too_late(enum fr_role r)
{
	return r == FR_ROLE_TOO_LATE;
}

#endif
