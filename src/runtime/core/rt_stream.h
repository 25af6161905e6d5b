/*
 * Order that the kernel imposes between threads that pass data through it.
 *
 * Meaning:   a call that *gives* (write, send, close, unlink, unlock) reads its buffers, releases
 *            the keys of the objects that it changes (kernel.h), and then calls the real function.
 *            A call that *gets* (read, poll, stat, lock) calls the real function, acquires the keys
 *            of the objects that it observed, and then writes its buffers. Stamps order releases
 *            and acquires, so in the recorded order a get comes after the gives that it depends on.
 *            Under a schedule a thread that reads thus finds the data that it read in the recorded
 *            run, and need not wait outside of control.
 * One step:  under a schedule no turn ends between the reads of the buffers, the release and the
 *            real call. In the recorded run, only one thread at a time is in a call that gives to
 *            an object, so that the stamps show which was first.
 * Invariant: a call emits the same number of hooks for every kind of descriptor, because standard
 *            streams differ between the recorded run and a re-execution. An unknown key is
 *            FRT_KEY_NONE, which orders nothing.
 * Not seen:  calls of code that is not recorded, unless they are wrapped by name. The order of
 *            several threads that read from one end at the same time, or that write while one waits
 *            for room. Whether a read saw a write that began before the read ended, where the
 *            length does not show it (counters), because stamps are taken outside of the call.
 */
#ifndef FRT_RT_STREAM_H
#define FRT_RT_STREAM_H

#include "rt.h"
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

/* A call that gives: begin, report the buffers that it reads, give, make the call, end. */
struct frt_give {
	struct frt_thread *t; /* NULL: the call is not recorded */
	_Atomic uint32_t *lock, *second;
	int cancel;
	bool held, gives;
	/* set it before the first give if others may have to act before the call returns */
	bool waits;
};
void frt_give_begin(struct frt_give *g);
/* Makes the call exclusive for this key, although its first give releases another key or none. */
void frt_give_alone(struct frt_give *g, uint64_t key);
/* Call it before frt_give_alone for a call that changes two objects that are both observed. */
void frt_give_second(struct frt_give *g, uint64_t a, uint64_t b);
/* Releases a key. A call that changes several objects gives each of them. */
void frt_give(struct frt_give *g, uint64_t key);
void frt_give_end(struct frt_give *g);

/* Brackets a call that observes an object and never waits. In the recorded run no thread gives to
   the object meanwhile, so the stamps show which changes the call saw. frt_take comes before the
   end, which is frt_give_end. */
void frt_see(struct frt_give *g, uint64_t key);
/* The same for a call that observes many names at once: no thread makes, removes or renames a file
   meanwhile. Returns the locks that it entered, for frt_seen_names. */
uint64_t frt_see_names(void);
void frt_seen_names(uint64_t entered);
/* Acquires a key, after a call that gets. Keeps errno. */
void frt_take(struct frt_thread *t, uint64_t key);
/* The same in the calling thread, if it is recorded. */
void frt_take_here(uint64_t key);

/* From now on, every give may cause this signal, or data to read from inotify. */
void frt_stream_notice(int sig);
void frt_stream_watch(void);

/*
 * Between frt_give and frt_give_end, before and after a call that gives *n bytes and may find too
 * little room. Under a schedule *n becomes the amount of room of the recorded run. False: no room,
 * or the call was interrupted; errno is set, and the caller must not make the call. t may be NULL.
 */
bool frt_stream_room(struct frt_thread *t, size_t *n);
ssize_t frt_stream_took(struct frt_thread *t, ssize_t r, size_t n);
/* Both, around write. */
ssize_t frt_stream_write(int fd, const void *from, size_t n);

/* Before a call that gets something (what: READ, READY, ACCEPT) from fd (-1: from no descriptor, or
   from several); t may be NULL. waits: the call waits until something has come. n: NULL, or the
   most bytes that it gets; under a schedule, *n becomes the recorded amount of a stream. */
enum frt_ask {
	FRT_ANSWERED, /* do not make the call: errno is its error */
	FRT_DO,
	/* make the call and wait for all *n bytes: fewer would differ from the recorded run */
	FRT_DO_ALL,
};
enum frt_ask frt_stream_ask(struct frt_thread *t, unsigned what, int fd, bool waits, size_t *n);
/* Asks, then reads. */
ssize_t frt_stream_read(struct frt_thread *t, int fd, void *to, size_t *n);
/* Before a call that reads from a stream of stdio: under a schedule a peer sends what comes now.
   Returns the hook before the call. */
uint64_t frt_stream_file(FILE *f);
/* After a call that gets. fd < 0: it was about several descriptors. Keeps errno. */
void frt_stream_got(struct frt_thread *t, int fd);

/* A signal is about to be sent: every signalfd may have something to read. */
void frt_stream_signal(struct frt_thread *t);

/* wrap_stdio.c: dup2 or the like is about to replace this descriptor. */
void frt_stdio_redirects(int fd);
/* wrap_stdio.c: the next call reads the FILE. A caller that also reads program memory calls this
   first; the functions below then do not repeat it. */
void frt_stdio_uses(const FILE *f);
size_t frt_stdio_fwrite(const void *restrict from, size_t size, size_t n, FILE *restrict f);
int frt_stdio_fputs(const char *restrict s, FILE *restrict f);
int frt_stdio_vfprintf(FILE *restrict f, const char *restrict format, va_list args);
int frt_stdio___vfprintf_chk(FILE *restrict f, int flag, const char *restrict format, va_list args);

/* Brackets a call that makes or closes descriptors and does not wait: descriptor numbers depend on
   the order of such calls. */
int frt_stream_number(void);
void frt_stream_numbered(int from_number);

#endif
