/*
 * epoll: finds out which descriptors were ready from the data that the program attached to each.
 *
 * Meaning:     a table holds, for each descriptor in each epoll instance, the data that the program
 *              attached. Data that epoll returns stands for every descriptor with the same data, so
 *              a program that attaches one value to all of them gets a coarser order.
 * Invariant:   an entry is made before the kernel knows the descriptor. Entries of closed
 *              descriptors stay until their slot is needed. Their descriptor then has another key
 *              or none, and they only add order.
 * Not handled: more descriptors than the table has room for (counted as not modelled).
 */
#include "runtime/control/ctl_input.h"
#include "runtime/core/rt_input.h"
#include "runtime/core/kernel.h"
#include "runtime/core/peer.h"
#include "runtime/core/rt_stream.h"
#include "wrap.h"
#include <stdatomic.h>

#define ENTRIES 4096 /* a power of two */
#define PROBES 64

static struct {
	_Atomic uint64_t fds; /* instance << 32 | descriptor, plus one; 0: free */
	_Atomic uint64_t data;
} entry[ENTRIES];

static _Atomic unsigned used; /* highest entry in use, plus one */

static void enters(int ep, int fd, uint64_t data)
{
	uint64_t fds = ((uint64_t)(uint32_t)ep << 32 | (uint32_t)fd) + 1;

	for (uint64_t i = 0; i < PROBES; i++) {
		uint64_t at = ((uint32_t)fd + i) % ENTRIES, was = 0;
		unsigned top;

		if (!atomic_compare_exchange_strong(&entry[at].fds, &was, fds) && was != fds)
			continue;
		atomic_store(&entry[at].data, data);
		top = atomic_load(&used);
		while (top <= at && !atomic_compare_exchange_weak(&used, &top, (unsigned)at + 1))
			;
		return;
	}
	frt_unmodelled("epoll_ctl with thousands of descriptors");
}

int frt_wrap_epoll_ctl(int ep, int op, int fd, struct epoll_event *event)
{
	struct frt_give g;
	int r;

	if (event && op != EPOLL_CTL_DEL && frt_asking())
		enters(ep, fd, event->data.u64);
	frt_give_begin(&g);
	frt_give(&g, frt_key(FRT_KEY_ANON, 0, 0)); /* a thread may wait for the instance itself */
	r = REAL(epoll_ctl)(ep, op, fd, event);
	frt_give_end(&g);
	return r;
}

/* Descriptors that are ready for reading are steps of peers. */
static void found_peers(struct frt_thread *t, int ep, const struct epoll_event *events, int r)
{
	for (int i = 0; frt_peers && i < r; i++) {
		unsigned top = events[i].events & ~(uint32_t)EPOLLOUT ? atomic_load(&used) : 0;

		for (unsigned k = 0; k < top; k++)
			if (atomic_load(&entry[k].data) == events[i].data.u64 &&
			    (atomic_load(&entry[k].fds) - 1) >> 32 == (uint32_t)ep)
				frt_peer_ready(
				    t, (int)((atomic_load(&entry[k].fds) - 1) & UINT32_MAX));
	}
}

/* Acquires the keys of the ready descriptors, once for each entry that names one. */
static int found(int ep, const struct epoll_event *events, int r)
{
	struct frt_thread *t = frt_asking();
	bool any = false;

	if (!t)
		return r;
	found_peers(t, ep, events, r);
	frt_input_result(t, FR_INPUT_READY, r, 0);
	for (int i = 0; i < r; i++) {
		unsigned top = events[i].events & ~(uint32_t)EPOLLOUT ? atomic_load(&used) : 0;

		for (unsigned k = 0; k < top; k++)
			if (atomic_load(&entry[k].data) == events[i].data.u64 &&
			    (atomic_load(&entry[k].fds) - 1) >> 32 == (uint32_t)ep) {
				frt_stream_got(
				    t, (int)((atomic_load(&entry[k].fds) - 1) & UINT32_MAX));
				any = true;
			}
	}
	if (!any)
		frt_stream_got(t, -1);
	return r;
}

static struct frt_before before(int fd, int *n, int ms)
{
	struct frt_before b = frt_ready_before(&(struct pollfd){.fd = fd, .events = POLLIN}, 1,
					       ms < 0 ? FRT_FOREVER : (uint64_t)ms * 1000000);

	if (!b.answered && b.r && b.r < *n)
		*n = b.r;
	return b;
}

int frt_wrap_epoll_wait(int fd, struct epoll_event *events, int n, int ms)
{
	struct frt_before b = before(fd, &n, ms);
	int r = b.r;

	if (!b.answered)
		r = REAL(epoll_wait)(fd, events, n, r ? -1 : b.expired ? 0 : ms);
	return found(fd, events, r);
}

int frt_wrap_epoll_pwait(int fd, struct epoll_event *events, int n, int ms, const sigset_t *mask)
{
	struct frt_before b = before(fd, &n, ms);
	int r = b.r;

	if (!b.answered)
		r = REAL(epoll_pwait)(fd, events, n, r ? -1 : b.expired ? 0 : ms, mask);
	return found(fd, events, r);
}
