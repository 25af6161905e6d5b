/* The ownership table: see shadow.h for what it means and what it loses. */
#include "access.h"
#include <stddef.h>
#include <sys/mman.h>

#define CHUNK_MULTI UINT64_MAX /* cells of more than one chunk that fall on one entry */

static struct frt_cell *table;
static uint64_t *chunks;

typeof(frt_filter) frt_filter = {.private_ = true, .repeat = true, .hot = FRT_HOT};

bool frt_shadow_init(void)
{
	size_t cells = FRT_CELLS * sizeof(*table), flags = sizeof(*chunks) << FRT_CHUNK_BITS;
	void *m = mmap(NULL, cells + flags, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (m == MAP_FAILED)
		return false;
	table = m;
	chunks = (uint64_t *)((char *)m + cells);
	return true;
}

struct frt_cell *frt_shadow_table(void)
{
	return table;
}

static uint64_t *chunk_entry(uint64_t chunk)
{
	return &chunks[(chunk ^ chunk >> FRT_CHUNK_BITS) & ((UINT64_C(1) << FRT_CHUNK_BITS) - 1)];
}

static void flag_chunk(uint64_t granule)
{
	uint64_t chunk = granule >> (FRT_CHUNK_SHIFT - 3);
	uint64_t *e = chunk_entry(chunk);
	uint64_t was = __atomic_load_n(e, __ATOMIC_RELAXED);

	if (was != CHUNK_MULTI)
		__atomic_store_n(e, !was || was == chunk ? chunk : CHUNK_MULTI, __ATOMIC_RELAXED);
}

/* Writes down what the owner of a cell did last and did not write. */
static void write_down(struct frt_thread *t, uint64_t key, const struct frt_cell *c)
{
	uint64_t owner = frt_key_owner(key), addr = frt_key_granule(key) << 3;
	const struct {
		uint64_t last, value;
		unsigned kind;
	} of[2] = {{c->last_w, c->content, FR_EV_LAST_WRITE}, {c->last_r, 0, FR_EV_LAST_READ}};

	for (int i = 0; i < 2; i++) {
		struct fr_event e[2] = {
			{.w0 = fr_w0(addr, of[i].kind, 3),
			 .value = of[i].value,
			 .site = of[i].last & FR_SITE_MAX},
			{.w0 = fr_w0(of[i].last >> FR_SITE_BITS, FR_EV_EXT, 0), .value = owner},
		};

		if (of[i].last)
			frt_put(t, e, 2);
	}
}

static void claim(struct frt_cell *c, uint64_t key)
{
	__atomic_store_n(&c->last_w, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&c->last_r, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&c->key, key, __ATOMIC_RELEASE);
	flag_chunk(frt_key_granule(key));
}

enum frt_touch frt_shadow_touch(struct frt_thread *t, uint64_t g, bool write)
{
	struct frt_cell *c = table + frt_cell_index(g);
	uint64_t key = __atomic_load_n(&c->key, __ATOMIC_RELAXED), owner = frt_key_owner(key);

	if (frt_key_granule(key) != g || !owner) {
		if (owner && owner != FRT_READERS && (c->last_w || c->last_r)) {
			write_down(t, key, c);
			frt_count(FR_RTC_evicted, 1);
		}
		claim(c, g | t->owner);
		return FRT_TOUCH_KEEP;
	}
	if (owner == t->id)
		return FRT_TOUCH_MINE;
	if (owner == FRT_READERS) {
		if (!write)
			return FRT_TOUCH_SHARED;
	} else {
		write_down(t, key, c);
		/* Memory that is handed over once belongs to its new user; beyond that it is shared. */
		if (!write && key & FRT_MIGRATED) {
			claim(c, g | FRT_READERS << FRT_GRANULE_BITS);
			return FRT_TOUCH_KEEP;
		}
	}
	claim(c, g | t->owner | FRT_MIGRATED);
	return FRT_TOUCH_KEEP;
}

void frt_shadow_remember(struct frt_thread *t, uint64_t g, bool write, uint64_t idx, uint32_t site)
{
	struct frt_cell *c = table + frt_cell_index(g);
	uint64_t last = idx << FR_SITE_BITS | site;

	(void)t;
	if (write) {
		__atomic_store_n(&c->last_w, last, __ATOMIC_RELAXED);
		c->content = *(const uint64_t *)(g << 3);
	} else {
		__atomic_store_n(&c->last_r, last, __ATOMIC_RELAXED);
	}
}

static void sweep_granules(struct frt_thread *t, uint64_t g, uint64_t end, bool own)
{
	for (; g < end; g++) {
		struct frt_cell *c = table + frt_cell_index(g);
		uint64_t key = __atomic_load_n(&c->key, __ATOMIC_RELAXED), owner;

		if (!key || frt_key_granule(key) != g)
			continue;
		owner = frt_key_owner(key);
		if (owner != FRT_READERS && (own || owner != t->id))
			write_down(t, key, c);
		__atomic_store_n(&c->key, 0, __ATOMIC_RELAXED);
	}
}

static void sweep(struct frt_thread *t, uintptr_t lo, uintptr_t hi, bool own)
{
	const uint64_t per = 1u << (FRT_CHUNK_SHIFT - 3);
	uint64_t g = lo >> 3, end = (hi + 7) >> 3;

	while (g < end) {
		uint64_t chunk = g / per, stop = (chunk + 1) * per < end ? (chunk + 1) * per : end;
		uint64_t *e = chunk_entry(chunk), was = __atomic_load_n(e, __ATOMIC_RELAXED);

		if (was == chunk || was == CHUNK_MULTI) {
			/* Empty the flag first: a claim that comes between sets it again. */
			if (was == chunk && g == chunk * per && stop == (chunk + 1) * per) {
				__atomic_store_n(e, 0, __ATOMIC_RELAXED);
				__atomic_thread_fence(__ATOMIC_SEQ_CST);
			}
			sweep_granules(t, g, stop, own);
		}
		g = stop;
	}
}

bool frt_shadow_shared(struct frt_thread *t, uintptr_t lo, uintptr_t hi)
{
	if (!frt_filter.private_)
		return true;
	for (uint64_t g = lo >> 3, end = (hi + 7) >> 3; g < end; g++) {
		uint64_t key = __atomic_load_n(&table[frt_cell_index(g)].key, __ATOMIC_RELAXED);

		if (key && frt_key_granule(key) == g && frt_key_owner(key) != t->id)
			return true;
	}
	return false;
}

void frt_shadow_sweep(struct frt_thread *t, uintptr_t lo, uintptr_t hi)
{
	if (frt_filter.private_)
		sweep(t, lo, hi, true);
}

void frt_shadow_forget(struct frt_thread *t, const void *addr, uint64_t size)
{
	if (frt_filter.private_ && size)
		sweep(t, (uintptr_t)addr, (uintptr_t)addr + size, false);
}
