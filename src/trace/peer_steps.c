/* See peer_steps.h. Trusts no number in the file. */
#include "trace/peer_steps.h"
#include "base/assert.h"
#include "base/dir.h"
#include "base/mem.h"
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bool has_addresses(unsigned what)
{
	return what == FR_PEER_LISTEN || what == FR_PEER_ACCEPT || what == FR_PEER_CONNECT ||
	       what == FR_PEER_BIND || what == FR_PEER_SOCKET;
}

static bool has_bytes(unsigned what)
{
	return what == FR_PEER_READ || what == FR_PEER_PEEK;
}

/* Takes a record. Returns false if it contradicts itself. */
static bool take(struct fr_peers *p, uint64_t at, uint64_t room)
{
	struct fr_peer_record r;
	struct fr_peer_step s;
	uint64_t n, head;

	memcpy(&r, p->bytes + at, sizeof(r));
	n = r.size - sizeof(r);
	head = r.flags & FR_PEER_FROM ? sizeof(struct fr_peer_address) : 0;
	if (r.size < sizeof(r) || r.size % 8 || r.size > room || !r.what || r.what >= FR_PEER_WHATS)
		return false;
	if ((r.peer >= FR_PEERS_MOST && r.peer != FR_PEER_NONE) ||
	    (r.peer == FR_PEER_NONE && r.what != FR_PEER_SIGNAL && r.what != FR_PEER_BIND &&
	     r.what != FR_PEER_ORDER))
		return false;
	if (r.what == FR_PEER_ORDER && (r.result < 0 || (uint64_t)r.result > n / 4))
		return false;
	if ((has_addresses(r.what) && n != sizeof(struct fr_peer_addresses)) ||
	    (has_bytes(r.what) && (uint64_t)fr_max(r.result, INT64_C(0)) + head > n))
		return false;
	s = (struct fr_peer_step){.what = r.what,
				  .type = r.type,
				  .flags = r.flags,
				  .peer = r.peer,
				  .thread = r.thread,
				  .hook = r.hook,
				  .sent = r.sent,
				  .at = at + sizeof(r),
				  .n = n,
				  .result = r.result};
	fr_vec_push(&p->step, s);
	if (r.peer != FR_PEER_NONE)
		p->npeers = fr_max(p->npeers, r.peer + 1);
	return true;
}

/* The port of an Internet address; 0: it is none. */
static uint32_t port_of(const struct fr_peer_address *a)
{
	struct sockaddr_in in; /* also the start of an address of version 6 */

	if (a->len < sizeof(in) || a->len > sizeof(a->bytes))
		return 0;
	memcpy(&in, a->bytes, sizeof(in));
	return in.sin_family == AF_INET || in.sin_family == AF_INET6 ? ntohs(in.sin_port) : 0;
}

/* Drops connections that a thread accepted before another thread knew that it had connected. */
static void drop_own(struct fr_peers *p)
{
	uint8_t *port = fr_xcalloc(UINT16_MAX + 1, 1), *own = fr_xcalloc(p->npeers + 1, 1);
	struct fr_peer_addresses a;
	size_t n = 0;

	FR_VEC_FOREACH (s, &p->step) {
		if (s->what != FR_PEER_CONNECT || !(s->flags & FR_PEER_OWN))
			continue;
		fr_peers_addresses(p, s, &a);
		port[port_of(&a.local)] = 1;
	}
	port[0] = 0;
	FR_VEC_FOREACH (s, &p->step) {
		if (s->what != FR_PEER_ACCEPT || !(s->flags & FR_PEER_UNSURE))
			continue;
		fr_peers_addresses(p, s, &a);
		if (port[port_of(&a.remote)] && s->peer < p->npeers)
			own[s->peer] = 1;
	}
	FR_VEC_FOREACH (s, &p->step)
		if (s->peer >= p->npeers || !own[s->peer])
			p->step.v[n++] = *s;
	p->step.n = n;
	free(port);
	free(own);
}

static int parse(struct fr_peers *p, const char *path, struct fr_err *reterr)
{
	struct fr_peers_header h;
	uint64_t end, at = sizeof(h);
	uint32_t size;

	if (p->size < sizeof(h))
		return fr_err_say(reterr, -EBADMSG, "'%s': truncated", path);
	memcpy(&h, p->bytes, sizeof(h));
	if (h.magic != FR_PEERS_MAGIC || h.version != FR_PEERS_VERSION)
		return fr_err_say(reterr, -EBADMSG, "'%s': not a file of this version", path);
	end = fr_min((uint64_t)h.used, p->size);
	p->lost = h.lost;
	while (at < end && end - at >= sizeof(struct fr_peer_record)) {
		memcpy(&size, p->bytes + at, sizeof(size));
		if (!size) /* the program ended in the middle of it */
			break;
		if (!take(p, at, end - at))
			return fr_err_say(reterr, -EBADMSG, "'%s': damaged at offset %llu", path,
					  (unsigned long long)at);
		at += size;
	}
	p->lost += at < end || h.used > p->size;
	return 0;
}

int fr_peers_read(const char *dir, struct fr_peers *ret, struct fr_err *reterr)
{
	FR_CLEANUP(fr_freep) char *path = fr_xasprintf("%s/peers", dir);
	struct stat st;
	void *p;
	int r;

	*ret = (struct fr_peers){.fd = -1};
	if (fr_dir_stat(path, NULL) == -ENOENT)
		return 0;
	ret->fd = fr_dir_open(path, reterr);
	if (ret->fd < 0)
		return ret->fd;
	if (fstat(ret->fd, &st) < 0)
		return fr_err_set(reterr, -errno, "cannot read '%s'", path);
	p = mmap(NULL, (size_t)st.st_size + 1, PROT_READ, MAP_PRIVATE, ret->fd, 0);
	if (p == MAP_FAILED)
		return fr_err_set(reterr, -errno, "cannot map '%s'", path);
	ret->bytes = p;
	ret->size = (uint64_t)st.st_size;
	r = parse(ret, path, reterr);
	if (!r)
		drop_own(ret);
	return r;
}

void fr_peers_free(struct fr_peers *p)
{
	if (p->bytes)
		munmap((void *)p->bytes, p->size + 1);
	if (p->fd > 0)
		close(p->fd);
	fr_vec_free(&p->step);
	*p = (struct fr_peers){.fd = -1};
}

void fr_peers_addresses(const struct fr_peers *p, const struct fr_peer_step *s,
			struct fr_peer_addresses *ret)
{
	fr_assert(has_addresses(s->what) && s->n == sizeof(*ret) && s->at + s->n <= p->size);
	memcpy(ret, p->bytes + s->at, sizeof(*ret));
	if (ret->local.len > sizeof(ret->local.bytes))
		ret->local.len = 0;
	if (ret->remote.len > sizeof(ret->remote.bytes))
		ret->remote.len = 0;
}
