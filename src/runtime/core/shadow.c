/* The ownership table: shadow.h describes its meaning and its losses. */
#include "rt_access.h"
#include "rt_assert.h"
#include <stddef.h>
#include <sys/mman.h>

/* A chunk's entry: number : 39 | owner : 18 | cells claimed there : 1. 0: never used. If two chunks
   share an entry, that of the other one says nothing: then everything is kept and swept. */
#define CHUNK_BITS 39
#define CHUNK_CELLS (UINT64_C(1) << 63)
#define GRANULES (1u << (FRT_CHUNK_SHIFT - 3)) /* in a chunk */

static struct frt_cell *table;
static uint64_t *chunks;

typeof(frt_filter) frt_filter = {.private_ = true, .repeat = true, .hot = FRT_HOT};

bool frt_shadow_init(void)
{
	const size_t huge = 2u << 20;
	size_t cells = FRT_CELLS * sizeof(*table), flags = sizeof(*chunks) << FRT_CHUNK_BITS;
	char *m = mmap(NULL, cells + flags + huge, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (m == MAP_FAILED)
		return false;
	/* The accesses are spread over the table: with huge pages recording takes 6 % less time. */
	m += -(uintptr_t)m & (huge - 1);
	madvise(m, cells + flags, MADV_HUGEPAGE);
	frt_assert(!((uintptr_t)m & (huge - 1)));
	table = (struct frt_cell *)m;
	chunks = (uint64_t *)(m + cells);
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

static inline uint64_t chunk_make(uint64_t chunk, uint64_t owner, uint64_t cells)
{
	return chunk | owner << CHUNK_BITS | cells;
}

static inline uint64_t chunk_number(uint64_t entry)
{
	return entry & ((UINT64_C(1) << CHUNK_BITS) - 1);
}

static inline uint64_t chunk_owner(uint64_t entry)
{
	return entry >> CHUNK_BITS & FRT_OWNER_MASK;
}

/* Thread `id` touches the chunk, by a cell (CHUNK_CELLS) or by a range (0). True if only this
   thread has touched it so far, and this is not its first touch. */
static inline bool chunk_touch(uint64_t chunk, uint64_t id, uint64_t cells)
{
	uint64_t *e = chunk_entry(chunk), was = __atomic_load_n(e, __ATOMIC_RELAXED), now, owner;

	if (was == chunk_make(chunk, id, CHUNK_CELLS))
		return true;
	if (was && chunk_number(was) != chunk) {
		__atomic_store_n(e, chunk_make(chunk, FRT_READERS, CHUNK_CELLS), __ATOMIC_RELAXED);
		return false;
	}
	owner = chunk_owner(was);
	cells |= was & CHUNK_CELLS;
	now = chunk_make(chunk, !owner || owner == id ? id : FRT_READERS, cells);
	if (now != was) /* a store would take the cache line from the threads that read it */
		__atomic_store_n(e, now, __ATOMIC_RELAXED);
	return owner == id;
}

static void write_last_one(struct frt_thread *t, uint64_t key, unsigned kind, uint64_t last,
			   uint64_t content)
{
	uint64_t owner = frt_key_owner(key), addr = frt_key_granule(key) << 3;
	uint64_t now = fr_pool_threads(frt_pool)[owner - 1].hook;
	uint64_t hook = (last ^ owner << 61) >> 27;
	struct fr_event e[2] = {{.w0 = fr_w0(addr + (last >> 22 & 7), kind, last >> 25 & 3),
				 .value = content,
				 .site = last & FR_SITE_MAX}};

	if (!last)
		return;
	hook |= now >> FRT_LAST_HOOK_BITS << FRT_LAST_HOOK_BITS;
	/* The owner's index may have been read a little too early. */
	if (hook > now + FRT_LAST_OLD / 2)
		hook -= UINT64_C(1) << FRT_LAST_HOOK_BITS;
	if ((int64_t)(now - hook) >= (int64_t)FRT_LAST_OLD || hook > now + FRT_LAST_OLD / 2) {
		t->forgotten++;
		return;
	}
	e[1] = (struct fr_event){.w0 = fr_w0(hook, FR_EV_EXT, 0), .value = owner};
	frt_put(t, e, 2);
}

/* Writes the owner's last accesses that were not kept. */
static void write_last(struct frt_thread *t, uint64_t key, const struct frt_cell *c)
{
	uint64_t w = __atomic_load_n(&c->last_w, __ATOMIC_RELAXED);
	uint64_t r = __atomic_load_n(&c->last_r, __ATOMIC_RELAXED);
	uint64_t content = __atomic_load_n(&c->content, __ATOMIC_RELAXED);

	frt_assert(frt_key_owner(key) && frt_key_owner(key) <= FR_POOL_MAX_THREADS);
	/* Another thread may have taken the cell meanwhile and written these accesses itself. */
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	if (__atomic_load_n(&c->key, __ATOMIC_RELAXED) != key)
		return;
	write_last_one(t, key, FR_EV_LAST_WRITE, w, content);
	write_last_one(t, key, FR_EV_LAST_READ, r, 0);
}

static inline void claim(struct frt_cell *c, uint64_t key)
{
	__atomic_store_n(&c->last_w, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&c->last_r, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&c->key, key, __ATOMIC_RELEASE);
}

/* A read of a granule that several threads read: checks whether it repeats. */
static inline enum frt_touch touch_reader(struct frt_thread *t, struct frt_cell *c, uint32_t bytes)
{
	uint32_t *r = &c->reader[t->id & 3], was = __atomic_load_n(r, __ATOMIC_RELAXED);
	uint32_t now = frt_reader(t->id, t->epoch, bytes);

	if ((was ^ now) >> 8)
		was = 0;
	else if ((was & bytes) == bytes)
		return frt_filter.repeat ? FRT_TOUCH_REPEAT : FRT_TOUCH_KEEP;
	__atomic_store_n(r, now | was, __ATOMIC_RELAXED);
	return FRT_TOUCH_KEEP;
}

enum frt_touch frt_shadow_touch(struct frt_thread *t, uint64_t g, uint32_t bytes)
{
	struct frt_cell *c = table + frt_cell_index(g);
	uint64_t key = __atomic_load_n(&c->key, __ATOMIC_RELAXED), owner = frt_key_owner(key);
	uint64_t me = (uint64_t)t->id << FRT_GRANULE_BITS;
	bool mine;

	if (frt_key_granule(key) != g || !owner) {
		if (owner && owner != FRT_READERS && (c->last_w || c->last_r))
			t->forgotten++;
		claim(c, g | me);
		mine = chunk_touch(g / GRANULES, t->id, CHUNK_CELLS);
		return mine && frt_filter.private_ ? FRT_TOUCH_MINE : FRT_TOUCH_KEEP;
	}
	if (owner == t->id)
		return frt_filter.private_ ? FRT_TOUCH_MINE : FRT_TOUCH_KEEP;
	if (owner == FRT_READERS) {
		if (bytes)
			return touch_reader(t, c, bytes);
	} else {
		write_last(t, key, c);
		/* Memory that changes hands once belongs to its new user; after a
		   second change it is shared. */
		if (bytes && key & FRT_MIGRATED) {
			claim(c, g | FRT_READERS << FRT_GRANULE_BITS);
			return touch_reader(t, c, bytes);
		}
	}
	chunk_touch(g / GRANULES, t->id, CHUNK_CELLS);
	claim(c, g | me | FRT_MIGRATED);
	return FRT_TOUCH_KEEP;
}

/* Empties cells and writes the last accesses of their owners. The thread's own cells stay, unless
   the memory is freed; then their last accesses are written, except where no other thread ever
   touched the memory (own). True if a cell stayed. */
static bool sweep_granules(struct frt_thread *t, uint64_t g, uint64_t end, bool freed, bool own)
{
	bool stayed = false;

	for (; g < end; g++) {
		struct frt_cell *c = table + frt_cell_index(g);
		uint64_t key = __atomic_load_n(&c->key, __ATOMIC_RELAXED), owner;

		if (!key || frt_key_granule(key) != g)
			continue;
		owner = frt_key_owner(key);
		if (owner == t->id && !freed) {
			stayed = true;
			continue;
		}
		if (owner != FRT_READERS && !(own && owner == t->id && !(key & FRT_MIGRATED)))
			write_last(t, key, c);
		__atomic_store_n(&c->key, 0, __ATOMIC_RELAXED);
	}
	return stayed;
}

static void sweep(struct frt_thread *t, uintptr_t lo, uintptr_t hi, bool freed)
{
	uint64_t g = lo >> 3, end = (hi + 7) >> 3;

	while (g < end) {
		uint64_t chunk = g / GRANULES, next = (chunk + 1) * GRANULES;
		uint64_t *e = chunk_entry(chunk), was = __atomic_load_n(e, __ATOMIC_RELAXED);
		bool whole = g == chunk * GRANULES && next <= end, mine, known;
		bool known_shared =
		    was == chunk_make(chunk, FRT_READERS, CHUNK_CELLS) && !freed && !whole;

		next = next < end ? next : end;
		known = !was || chunk_number(was) == chunk;
		mine = known && chunk_owner(was) == t->id;
		if (freed) {
			/* The next thread that touches it starts anew. Empty the entry first: a
			   claim in between sets it again. */
			if (whole && known && was)
				__atomic_store_n(e, chunk_make(chunk, 0, 0), __ATOMIC_RELAXED);
		} else if (mine || was == chunk_make(chunk, FRT_READERS, 0)) {
			/* the cells there are this thread's own and stay, or there are none */
			g = next;
			continue;
		} else if (!known_shared) {
			chunk_touch(chunk, t->id, 0);
			if (whole && known && was & CHUNK_CELLS)
				__atomic_fetch_and(e, ~CHUNK_CELLS, __ATOMIC_RELAXED);
		}
		if (!known || was & CHUNK_CELLS) {
			/* A thread that claims a cell now sees that the chunk is shared, or its
			   claim is seen here. */
			if (!known_shared)
				__atomic_thread_fence(__ATOMIC_SEQ_CST);
			if (sweep_granules(t, g, next, freed, mine) && whole)
				__atomic_fetch_or(e, CHUNK_CELLS, __ATOMIC_RELAXED);
		}
		g = next;
	}
}

void frt_shadow_settle(struct frt_thread *t)
{
	if (!frt_filter.private_)
		return;
	for (struct frt_cell *c = table; c < table + FRT_CELLS; c++) {
		uint64_t key = c->key, owner = frt_key_owner(key), chunk;

		if (!owner || owner == FRT_READERS || !(c->last_w || c->last_r))
			continue;
		chunk = frt_key_granule(key) / GRANULES;
		if (!(key & FRT_MIGRATED) &&
		    *chunk_entry(chunk) == chunk_make(chunk, owner, CHUNK_CELLS))
			continue;
		write_last(t, key, c);
		c->last_w = c->last_r = 0;
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
	if (frt_shadow_on())
		sweep(t, lo, hi, false);
}

void frt_shadow_forget(struct frt_thread *t, const void *addr, uint64_t size)
{
	if (frt_shadow_on() && size)
		sweep(t, (uintptr_t)addr, (uintptr_t)addr + size, true);
}
