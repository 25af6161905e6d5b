/*
 * Bytes that go from one thread to another through the kernel: pipes, sockets, event counters.
 *
 * Meaning:   who gives (write, send, close) releases before the call, who gets (read, poll)
 * acquires after it. So the recorded order, which stamps decide, has what was got after what was
 *            given, and under a schedule a thread that reads finds what it read when recorded: it
 *            does not wait outside. A call that gives and its release are one step: no turn ends
 *            between them.
 * Object:    both ends of a pipe, a socket pair or a connection have one key. Descriptors of which
 *            that is not known (files, terminals, datagrams) have one that nobody is ordered by.
 *            Keys are no addresses: FR_STREAM is set.
 * Invariant: every call is a hook, whatever the descriptor is: what standard streams are differs
 *            between a recording and a run under a schedule.
 * Not seen:  stdio, sendmsg, recvmsg, splice, eventfd_write, calls of code that is not recorded.
 *            Which of several threads that read from one end at the same time came first, or that
 *            write while one waits for room; and whether a read saw a write that began before it
 *            ended, where its length does not tell (counters): stamps are taken outside of the
 * call.
 */
#ifndef FRT_STREAM_H
#define FRT_STREAM_H

#include "rt.h"
#include <stddef.h>
#include <sys/types.h>

/* Around a call that gives something to the other end of fd. Nothing if it is not recorded. */
int frt_stream_give(int fd);
void frt_stream_given(int from_give);
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
 * Before a call that gets something (what: READ, ACCEPT), bytes up to *n (n may be NULL); t may be
 * NULL. Under a schedule *n becomes what was got when recorded.
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

/*
 * Around a call that makes or gives back descriptors, and does not wait: their numbers depend on
 * who comes first. Inside of that, these two are the ends of one.
 */
int frt_stream_number(void);
void frt_stream_numbered(int from_number);
void frt_stream_pair(const int end[2]);

#endif
