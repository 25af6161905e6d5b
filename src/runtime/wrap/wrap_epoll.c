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
#include "runtime/control/ctl_ghost.h"
#include "runtime/control/ctl_input.h"
#include "runtime/core/rt_input.h"
#include "runtime/core/kernel.h"
#include "runtime/core/peer.h"
#include "runtime/core/rt_stream.h"
#include "wrap.h"
#include <stdatomic.h>

#define ENTRIES 4096 /* a power of two */
#define PROBES 64
_Static_assert(!(ENTRIES & (ENTRIES - 1)) && PROBES <= ENTRIES, "a search wraps around");

static struct {
	_Atomic uint64_t fds; /* instance << 32 | descriptor, plus one; 0: free */
	_Atomic uint64_t data;
	_Atomic uint32_t events;
} entry[ENTRIES];

static _Atomic unsigned used; /* highest entry in use, plus one */

static void enters(int ep, int fd, uint64_t data, uint32_t events)
{
	uint64_t fds = ((uint64_t)(uint32_t)ep << 32 | (uint32_t)fd) + 1;

	for (uint64_t i = 0; i < PROBES; i++) {
		uint64_t at = ((uint32_t)fd + i) % ENTRIES, was = 0;
		unsigned top;

		if (!atomic_compare_exchange_strong(&entry[at].fds, &was, fds) && was != fds)
			continue;
		atomic_store(&entry[at].data, data);
		atomic_store(&entry[at].events, events);
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
		enters(ep, fd, event->data.u64, event->events);
	frt_give_begin(&g);
	frt_give(&g, frt_key(FRT_KEY_ANON, 0, 0)); /* a thread may wait for the instance itself */
	r = REAL(epoll_ctl)(ep, op, fd, event);
	frt_give_end(&g);
	return r;
}

#define FOUND 64 /* descriptors whose order is recorded */

/* The descriptor of an event; the last one, if several have its data. UINT32_MAX: not known. */
static uint32_t descriptor(int ep, const struct epoll_event *e, uint32_t *ret_events)
{
	uint32_t fd = UINT32_MAX;

	for (unsigned k = 0, top = atomic_load(&used); k < top; k++)
		if (atomic_load(&entry[k].data) == e->data.u64 &&
		    (atomic_load(&entry[k].fds) - 1) >> 32 == (uint32_t)ep) {
			fd = (uint32_t)((atomic_load(&entry[k].fds) - 1) & UINT32_MAX);
			*ret_events = atomic_load(&entry[k].events);
		}
	return fd;
}

/* Descriptors that are ready for reading are steps of peers. */
static void found_peers(struct frt_thread *t, int ep, const struct epoll_event *events, int r)
{
	uint32_t fds[FOUND], unused;
	bool told = false;

	if (!frt_peers || frt_ctl_ghost)
		return;
	for (int i = 0; i < r; i++) {
		uint32_t fd = descriptor(ep, &events[i], &unused);

		if (events[i].events & ~(uint32_t)EPOLLOUT)
			told = frt_peer_ready(t, (int)fd, events[i].events, r == 1);
		if (i < FOUND)
			fds[i] = fd;
	}
	if (r > 0 && r <= FOUND && !(told && r == 1))
		frt_peer_order(t, fds, (size_t)r);
}

/* ---- as recorded ---- */

#define TRIES 200 /* waits of a millisecond, for events that are on their way */

/* Adds an event, or its bits to those of the same descriptor. */
static unsigned add(struct epoll_event *all, unsigned n, const struct epoll_event *e)
{
	for (unsigned i = 0; i < n; i++)
		if (all[i].data.u64 == e->data.u64) {
			all[i].events |= e->events;
			return n;
		}
	if (n < FOUND)
		all[n++] = *e;
	return n;
}

/* Puts the event of each wanted descriptor into `to`. Returns their number. */
static uint32_t pick(int ep, struct epoll_event *all, unsigned n, const uint32_t *wanted,
		     uint32_t nwanted, struct epoll_event *to, bool taken[FOUND])
{
	uint32_t k = 0, unused;

	frt_assert(n <= FOUND && nwanted <= FOUND);
	for (unsigned i = 0; i < FOUND; i++)
		taken[i] = false;
	for (uint32_t w = 0; w < nwanted; w++)
		for (unsigned i = 0; i < n; i++)
			if (!taken[i] && descriptor(ep, &all[i], &unused) == wanted[w]) {
				taken[i] = true;
				to[k++] = all[i];
				break;
			}
	return k;
}

/* The recorded call found these descriptors: finds the same, in the same order. The kernel reports
   others again, as if this call had not seen them. */
static int wait_as_recorded(int ep, struct epoll_event *to, const uint32_t *wanted,
			    uint32_t nwanted)
{
	struct epoll_event all[FOUND], some[FOUND];
	unsigned n = 0;
	bool taken[FOUND];
	uint32_t k = 0;

	for (unsigned tries = 0; k < nwanted && tries < TRIES; tries++) {
		int r = REAL(epoll_wait)(ep, some, FOUND, tries ? 1 : TRIES);

		for (int i = 0; i < r; i++)
			n = add(all, n, &some[i]);
		k = pick(ep, all, n, wanted, nwanted, to, taken);
		frt_assert(k <= nwanted && k <= n);
	}
	for (unsigned i = 0; i < n; i++)
		if (!taken[i]) {
			struct epoll_event e = {.data = all[i].data};
			uint32_t watched = 0, fd = descriptor(ep, &all[i], &watched);

			e.events = watched;

			REAL(epoll_ctl)(ep, EPOLL_CTL_MOD, (int)fd, &e);
		}
	return (int)k;
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

/* Makes the call if it is the recorded one, and its descriptors are known. */
static bool recorded(int ep, struct epoll_event *to, int room, int *r)
{
	struct frt_thread *t = frt_asking();
	const uint32_t *wanted;
	uint32_t n;

	if (!frt_controlled() || !t || *r <= 0)
		return false;
	wanted = frt_ctl_ghost_order(t, &n);
	if (!wanted || n > FOUND || n > (uint32_t)room)
		return false;
	*r = wait_as_recorded(ep, to, wanted, n);
	return true;
}

int frt_wrap_epoll_wait(int fd, struct epoll_event *events, int n, int ms)
{
	int room = n, r;
	struct frt_before b = before(fd, &n, ms);

	r = b.r;
	if (!b.answered && !recorded(fd, events, room, &r))
		r = REAL(epoll_wait)(fd, events, n, r ? -1 : b.expired ? 0 : ms);
	return found(fd, events, r);
}

int frt_wrap_epoll_pwait(int fd, struct epoll_event *events, int n, int ms, const sigset_t *mask)
{
	int room = n, r;
	struct frt_before b = before(fd, &n, ms);

	r = b.r;
	if (!b.answered && !recorded(fd, events, room, &r))
		r = REAL(epoll_pwait)(fd, events, n, r ? -1 : b.expired ? 0 : ms, mask);
	return found(fd, events, r);
}
