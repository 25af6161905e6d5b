/*
 * The codec of trace blocks: predicts each slot (codec_predictor.h) and writes only the difference.
 *
 * A difference takes 0 to 8 bytes; one control byte holds the lengths. Writing a slot takes no loop
 * and almost no branch: it stores eight bytes and advances the cursor by the length. The encoder
 * competes with the recorded program for processors, so it is compiled twice, the second time for
 * processors with AVX2 and leading-zero count.
 */
#include "trace/codec.h"
#include "base/assert.h"
#include "base/mem.h"
#include "format/trace_file.h"
#include "trace/codec_predictor.h"
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <zstd.h>

#ifdef __x86_64__
#define FAST __attribute__((target("avx2,bmi,bmi2,lzcnt")))
#else
#define FAST
#endif

/*
 * zstd takes as much time as everything else. Columns of more than DENSE bytes a slot get the level
 * that compresses better. The others get a level that takes half the time; if it gains less than a
 * fifth, the next LIGHT_REST blocks are stored without zstd. Columns below ZSTD_MIN bytes are never
 * compressed.
 */
#define DENSE 5
#define LEVEL_DENSE 1
#define LEVEL_LIGHT (-3)
#define LIGHT_REST 15
#define ZSTD_MIN 512

/*
 * The decoder checks for damage only after each run of RUN slots: whether it read past the end of a
 * column or found an invalid field. Until then it may decode garbage, which does no harm.
 */
#define RUN 32
#define RUN_ROOM (RUN * 8 + 8) /* bound on the bytes read past the end of a column */

enum column { COL_CTRL, COL_CODE, COL_SYM, COL_ADDR, COL_VALUE, COL_HOOK, COLUMNS };
/* How a slot gives its symbol, in two bits. */
enum code { CODE_NEXT, CODE_INDEX, CODE_LITERAL };

struct fr_codec {
	struct predictor p;
	bool fast; /* the processor has the instructions of the fast build */
	uint8_t *column[COLUMNS];
	uint8_t *plain;	 /* FR_CODEC_BOUND bytes, and RUN_ROOM to read past the end */
	uint8_t *packed; /* ZSTD_compressBound(FR_CODEC_BOUND) bytes */
	uint32_t rest;	 /* number of next blocks to store without zstd */
	ZSTD_CCtx *cctx;
	ZSTD_DCtx *dctx;
	pthread_mutex_t decoding; /* held while the codec decodes a block */
};

struct fr_codec *fr_codec_new(void)
{
	static const uint8_t width[COLUMNS] = {1, 1, 6, 8, 8, 4};
	struct fr_codec *c = fr_xcalloc(1, sizeof(*c));

	for (int i = 0; i < COLUMNS; i++)
		c->column[i] = fr_xmalloc((size_t)width[i] * FR_CODEC_MAX_SLOTS + 8);
#ifdef __x86_64__
	c->fast = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
#endif
	c->plain = fr_xcalloc(1, FR_CODEC_BOUND(FR_CODEC_MAX_SLOTS) + RUN_ROOM);
	c->packed = fr_xmalloc(ZSTD_compressBound(FR_CODEC_BOUND(FR_CODEC_MAX_SLOTS)));
	pthread_mutex_init(&c->decoding, NULL);
	return c;
}

void fr_codec_free(struct fr_codec *c)
{
	if (!c)
		return;
	for (int i = 0; i < COLUMNS; i++)
		free(c->column[i]);
	free(c->plain);
	free(c->packed);
	ZSTD_freeCCtx(c->cctx);
	ZSTD_freeDCtx(c->dctx);
	free(c);
}

void fr_codec_portable(struct fr_codec *c)
{
	c->fast = false;
}

static inline void store(uint8_t *p, uint64_t v)
{
	memcpy(p, &v, 8);
}

/* Finds the entry of a symbol that was not predicted, writes it, and returns how. */
static inline enum code lookup(struct fr_codec *c, const struct state *s, uint64_t symbol,
			       unsigned class, uint8_t **out, uint32_t *ret)
{
	uint32_t at = home(symbol, s->entry);

	c->p.next[s->entry] = (uint16_t)at;
	*ret = at;
	if (c->p.symbol[at] == symbol) {
		store(*out, at);
		*out += 2;
		return CODE_INDEX;
	}
	replace(&c->p, at, s, symbol, class);
	store(*out, symbol);
	*out += 6;
	return CODE_LITERAL;
}

struct cursors {
	uint8_t *sym, *addr, *value, *hook;
	uint32_t events, any; /* number of events; union of the flags of their event kinds */
};

static inline __attribute__((always_inline)) void
encode_slots(struct fr_codec *c, const struct fr_event *ev, uint32_t n, struct cursors *ret)
{
	uint8_t *ctrl = c->column[COL_CTRL], *code = c->column[COL_CODE];
	struct cursors out = *ret;
	struct state s = {0};

	for (uint32_t i = 0; i < n; i++) {
		uint64_t symbol = symbol_of(&ev[i]);
		unsigned kind = (unsigned)(symbol >> 32) & 0xff, flags = fr_event_is(kind);
		unsigned class = flags & FR_IS_STAMPED, la, lv, li;
		pair now = {ev[i].w0 & FR_ADDR_MASK, ev[i].value}, d;
		uint32_t at = c->p.next[s.entry], step = ev[i].hook - s.hook;
		struct predictor_entry *e;

		if (c->p.symbol[at] != symbol)
			code[i / 4] |=
			    (uint8_t)(lookup(c, &s, symbol, class, &out.sym, &at) << (i % 4 * 2));
		fr_assert_slow(at < ENTRIES && c->p.symbol[at] == symbol);
		e = &c->p.entry[at];
		d = now - predict(e, &s, class);
		d = d << 1 ^ (pair)((signed_pair)d < 0);
		la = class_of(d[0]);
		lv = class_of(d[1]);
		li = (step != e->hook_step) * (1u + (step > 0xff) + (step > 0xffff));
		store(out.addr, d[0]);
		store(out.value, d[1]);
		memcpy(out.hook, &step, 4);
		out.addr += class_bytes(la);
		out.value += class_bytes(lv);
		out.hook += hook_bytes(li);
		ctrl[i] = (uint8_t)(la | lv << 3 | li << 6);
		out.events += flags >> 1 & 1;
		out.any |= flags;
		learn(e, &s, now, ev[i].hook, flags);
		s.entry = at;
	}
	*ret = out;
}

static void encode_slots_plain(struct fr_codec *c, const struct fr_event *ev, uint32_t n,
			       struct cursors *ret)
{
	encode_slots(c, ev, n, ret);
}

FAST static void encode_slots_fast(struct fr_codec *c, const struct fr_event *ev, uint32_t n,
				   struct cursors *ret)
{
	encode_slots(c, ev, n, ret);
}

/* Encodes the slots and concatenates the columns after their lengths. Returns the size. */
static size_t encode_columns(struct fr_codec *c, const struct fr_event *ev, uint32_t n,
			     struct fr_encoded *ret)
{
	struct cursors end = {.sym = c->column[COL_SYM],
			      .addr = c->column[COL_ADDR],
			      .value = c->column[COL_VALUE],
			      .hook = c->column[COL_HOOK]};
	size_t lengths[COLUMNS] = {n, (n + 3) / 4};
	uint8_t *out = c->plain;

	forget_all(&c->p);
	memset(c->column[COL_CODE], 0, lengths[COL_CODE]);
	(c->fast ? encode_slots_fast : encode_slots_plain)(c, ev, n, &end);
	lengths[COL_SYM] = (size_t)(end.sym - c->column[COL_SYM]);
	lengths[COL_ADDR] = (size_t)(end.addr - c->column[COL_ADDR]);
	lengths[COL_VALUE] = (size_t)(end.value - c->column[COL_VALUE]);
	lengths[COL_HOOK] = (size_t)(end.hook - c->column[COL_HOOK]);
	fr_assert(lengths[COL_SYM] <= (size_t)n * 6 && lengths[COL_HOOK] <= (size_t)n * 4);
	fr_assert(lengths[COL_ADDR] <= (size_t)n * 8 && lengths[COL_VALUE] <= (size_t)n * 8);
	for (int i = COL_SYM; i < COLUMNS; i++, out += 4)
		memcpy(out, &(uint32_t){(uint32_t)lengths[i]}, 4);
	for (int i = 0; i < COLUMNS; i++) {
		memcpy(out, c->column[i], lengths[i]);
		out += lengths[i];
	}
	fr_assert((size_t)(out - c->plain) <= FR_CODEC_BOUND(n) && end.events <= n);
	ret->events = end.events;
	ret->names = end.any & FR_NAMES;
	return (size_t)(out - c->plain);
}

struct fr_encoded fr_codec_encode(struct fr_codec *c, const struct fr_event *e, uint32_t n)
{
	struct fr_encoded r = {.payload = c->plain};
	size_t packed;
	bool dense;

	fr_assert(n <= FR_CODEC_MAX_SLOTS);
	r.length = encode_columns(c, e, n, &r);
	r.plain = (uint32_t)r.length;
	dense = r.length > (size_t)n * DENSE;
	if (r.length < ZSTD_MIN || (!dense && c->rest && c->rest--))
		return r;
	if (!c->cctx)
		c->cctx = ZSTD_createCCtx();
	if (!c->cctx)
		return r;
	packed = ZSTD_compressCCtx(c->cctx, c->packed, ZSTD_compressBound(r.length), c->plain,
				   r.length, dense ? LEVEL_DENSE : LEVEL_LIGHT);
	if (ZSTD_isError(packed) || packed > r.length - r.length / (dense ? 32 : 5)) {
		c->rest = dense ? 0 : LIGHT_REST;
		return r;
	}
	fr_assert(packed < r.plain);
	r.payload = c->packed;
	r.length = packed;
	r.codec = 1;
	return r;
}

/* ---- decoding ---- */

struct codec_cursor {
	const uint8_t *p, *end;
};

/* Reads the next difference; `class` gives its length. */
static inline uint64_t take(const uint8_t **p, unsigned class)
{
	static const uint64_t low[8] = {0,
					UINT64_C(0xff),
					UINT64_C(0xffff),
					UINT64_C(0xffffff),
					UINT64_C(0xffffffff),
					UINT64_C(0xffffffffff),
					UINT64_C(0xffffffffffff),
					UINT64_MAX};
	uint64_t v;

	memcpy(&v, *p, 8);
	*p += class_bytes(class);
	return v & low[class];
}

/* Decodes n <= RUN slots. Returns false if a field is invalid. */
static inline __attribute__((always_inline)) bool
decode_run(struct fr_codec *c, struct state *state, const uint8_t *ctrl, uint64_t codes,
	   struct codec_cursor *col, struct fr_event *ev, uint32_t n)
{
	const uint8_t *sym = col[0].p, *addr = col[1].p, *value = col[2].p, *index = col[3].p;
	struct state s = *state;
	uint64_t bad = 0; /* high bits that must not be set */

	_Static_assert(FR_ADDR_MASK == UINT64_MAX >> 16, "`bad`");
	for (uint32_t i = 0; i < n; i++, codes >>= 2) {
		unsigned code = codes & 3, li = ctrl[i] >> 6, flags;
		uint64_t symbol, da, dv, di;
		uint32_t at, hook;
		struct predictor_entry *e;
		pair d;

		if (__builtin_expect(code > CODE_INDEX, 0)) { /* given in full */
			bad |= (uint64_t)(code != CODE_LITERAL) << 63;
			symbol = take(&sym, 6);
			at = home(symbol, s.entry);
			replace(&c->p, at, &s, symbol,
				fr_event_is(symbol >> 32 & 0xff) & FR_IS_STAMPED);
		} else { /* without a branch: the processor could not predict it */
			uint32_t given = -code;
			uint16_t v;

			memcpy(&v, sym, 2);
			sym += 2 * code;
			at = (v & given) | (c->p.next[s.entry] & ~given);
			bad |= (uint64_t)at >> ENTRIES_LOG << 48;
			at %= ENTRIES;
			symbol = c->p.symbol[at];
		}
		c->p.next[s.entry] = (uint16_t)at;
		da = take(&addr, ctrl[i] & 7);
		dv = take(&value, ctrl[i] >> 3 & 7);
		di = take(&index, hook_bytes(li));
		e = &c->p.entry[at];
		flags = fr_event_is(symbol >> 32 & 0xff);
		d = (pair){da, dv};
		d = (d >> 1 ^ -(d & 1)) + predict(e, &s, flags & FR_IS_STAMPED);
		bad |= symbol | d[0];
		hook = s.hook + (li ? (uint32_t)di : e->hook_step);
		ev[i] = (struct fr_event){d[0] | symbol >> 32 << 48, d[1], (uint32_t)symbol, hook};
		learn(e, &s, d, hook, flags);
		s.entry = at;
	}
	*state = s;
	col[0].p = sym;
	col[1].p = addr;
	col[2].p = value;
	col[3].p = index;
	return !(bad >> 48);
}

static inline __attribute__((always_inline)) int
decode_slots(struct fr_codec *c, const uint8_t *ctrl, const uint8_t *code, struct codec_cursor *col,
	     struct fr_event *ev, uint32_t n)
{
	struct state s = {0};

	for (uint32_t i = 0; i < n; i += RUN) {
		uint64_t codes;

		memcpy(&codes, code + i / 4, 8);
		if (!decode_run(c, &s, ctrl + i, codes, col, ev + i, fr_min(n - i, (uint32_t)RUN)))
			return -EBADMSG;
		for (int k = 0; k < 4; k++)
			if (col[k].p > col[k].end)
				return -EBADMSG;
	}
	return 0;
}

static int decode_slots_plain(struct fr_codec *c, const uint8_t *ctrl, const uint8_t *code,
			      struct codec_cursor *col, struct fr_event *ev, uint32_t n)
{
	return decode_slots(c, ctrl, code, col, ev, n);
}

FAST static int decode_slots_fast(struct fr_codec *c, const uint8_t *ctrl, const uint8_t *code,
				  struct codec_cursor *col, struct fr_event *ev, uint32_t n)
{
	return decode_slots(c, ctrl, code, col, ev, n);
}

static int decode_columns(struct fr_codec *c, size_t plain, struct fr_event *ev, uint32_t n)
{
	const uint8_t *ctrl = c->plain + 16, *code = ctrl + n;
	size_t at = 16 + (size_t)n + (n + 3) / 4;
	struct codec_cursor col[4];
	uint32_t lengths[4];
	int r;

	fr_assert(plain <= FR_CODEC_BOUND(n));
	if (plain < at)
		return -EBADMSG;
	memcpy(lengths, c->plain, sizeof(lengths));
	for (int i = 0; i < 4; i++) {
		if (lengths[i] > plain - at)
			return -EBADMSG;
		col[i] = (struct codec_cursor){c->plain + at, c->plain + at + lengths[i]};
		at += lengths[i];
	}
	if (at != plain)
		return -EBADMSG;
	forget_all(&c->p);
	r = (c->fast ? decode_slots_fast : decode_slots_plain)(c, ctrl, code, col, ev, n);
	for (int i = 0; i < 4; i++)
		if (!r && col[i].p != col[i].end)
			r = -EBADMSG;
	return r;
}

static int decode(struct fr_codec *c, const uint8_t *payload, size_t length, uint8_t codec,
		  uint32_t plain, struct fr_event *ret, uint32_t n)
{
	size_t got;

	if (n > FR_CODEC_MAX_SLOTS || plain > FR_CODEC_BOUND(n) - 64 || codec > 1)
		return -EBADMSG;
	if (codec == 0) {
		if (length != plain)
			return -EBADMSG;
		memcpy(c->plain, payload, length);
		return decode_columns(c, plain, ret, n);
	}
	if (!c->dctx)
		c->dctx = ZSTD_createDCtx();
	if (!c->dctx)
		return -ENOMEM;
	got = ZSTD_decompressDCtx(c->dctx, c->plain, plain, payload, length);
	if (ZSTD_isError(got) || got != plain)
		return -EBADMSG;
	return decode_columns(c, plain, ret, n);
}

int fr_codec_decode(struct fr_codec *c, const uint8_t *payload, size_t length, uint8_t codec,
		    uint32_t plain, struct fr_event *ret, uint32_t n)
{
	int r;

	pthread_mutex_lock(&c->decoding);
	r = decode(c, payload, length, codec, plain, ret, n);
	pthread_mutex_unlock(&c->decoding);
	return r;
}
