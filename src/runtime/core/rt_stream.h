/*
 * Order that the kernel imposes between threads: what one gives, another gets.
 *
 * Meaning:   a call that gives something (write, send, close, unlink, unlock) reads its buffers,
 *            then releases the keys of what it changes (kernel.h), then does its work. A call that
 *            gets something (read, poll, stat, lock) does its work, then acquires the keys of what
 *            it saw, then writes its buffers. Stamps order the two, so the recorded order has
 *            everything that was got after what was given, and under a schedule a thread that
 *            reads finds what it read when recorded, and need not wait outside.
 * One step:  under a schedule no turn ends between the reads of the buffers, the release and the
 *            call that gives. In the recorded run one thread at a time is in a call that gives to
 *            one object, so that the stamps say which was first.
 * Invariant: a call emits the same number of hooks whatever its descriptor is: standard streams
 *            differ between the recorded run and a re-execution. A key that is not known is
 *            FRT_KEY_NONE, which orders nothing.
 * Not seen:  calls of code that is not recorded, unless they are wrapped by name. Which of several
 *            threads that read from one end at the same time came first, or that write while one
 *            waits for room; and whether a read saw a write that began before it ended, where its
 *            length does not tell (counters): stamps are taken outside of the call.
 */
#ifndef FRT_RT_STREAM_H
#define FRT_RT_STREAM_H

#include "rt.h"
#include <stddef.h>
#include <sys/types.h>

/* A call that gives: begin, tell the buffers that it reads, give, call, end. */
struct frt_give {
	struct frt_thread *t; /* NULL: it is not recorded */
	_Atomic uint32_t *lock, *second;
	int cancel;
	bool held, gives;
	bool waits; /* set it before the first give if others may have to act before it returns */
};
void frt_give_begin(struct frt_give *g);
/* The first give releases something else, or nothing: but the call is alone with this. */
void frt_give_alone(struct frt_give *g, uint64_t key);
/* Before that, for a call that changes two objects which are both observed. */
void frt_give_second(struct frt_give *g, uint64_t a, uint64_t b);
/* Releases a key. A call that changes several objects gives each. */
void frt_give(struct frt_give *g, uint64_t key);
void frt_give_end(struct frt_give *g);

/*
 * Around a call that observes an object and never waits: in the recorded run nobody gives to the
 * object meanwhile, so the stamps say what the call saw. The acquire comes before the end, which
 * is frt_give_end.
 */
void frt_see(struct frt_give *g, uint64_t key);
/* Acquires a key, after a call that gets. Keeps errno. */
void frt_take(struct frt_thread *t, uint64_t key);

/* From now on, whatever is given may cause this signal, or something to read from inotify. */
void frt_stream_notice(int sig);
void frt_stream_watch(void);

/*
 * Between the two, before and after a call that gives *n bytes: it may find no room for all.
 * Under a schedule there is as much room as when recorded; false: none, or it was interrupted,
 * errno says so, and the call is not to be done. t may be NULL.
 */
bool frt_stream_room(struct frt_thread *t, size_t *n);
ssize_t frt_stream_took(struct frt_thread *t, ssize_t r, size_t n);
/* Both, and write. */
ssize_t frt_stream_write(int fd, const void *from, size_t n);

/*
 * Before a call that gets something (what: READ, READY, ACCEPT), bytes up to *n (n may be NULL); t
 * may be NULL. Under a schedule *n becomes what was got when recorded.
 */
enum frt_ask {
	FRT_ANSWERED, /* errno says how: it is not to be done */
	FRT_DO,
	FRT_DO_ALL, /* as many as *n have come, or will: less would be something else */
};
enum frt_ask frt_stream_ask(struct frt_thread *t, unsigned what, int fd, size_t *n);
/* Asks, and reads. */
ssize_t frt_stream_read(struct frt_thread *t, int fd, void *to, size_t *n);
/* After it. fd < 0: of several. Keeps errno. */
void frt_stream_got(struct frt_thread *t, int fd);

/* A descriptor for signals was made; a signal is about to be sent: all such have something to get.
 */
void frt_stream_signals(int fd);
void frt_stream_signal(struct frt_thread *t);

/* wrap_stdio.c: this descriptor is about to become another one. */
void frt_stdio_redirects(int fd);

/*
 * Around a call that makes or gives back descriptors, and does not wait: their numbers depend on
 * who comes first.
 */
int frt_stream_number(void);
void frt_stream_numbered(int from_number);

#endif
