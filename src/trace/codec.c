/*
 * The columns of a block.
 *
 * Each slot is predicted from what the same place did last time, and only the difference is
 *written: symbol  (site, kind, aux): the one that followed the previous symbol last time address
 *this symbol's last one plus its stride, or the previous slot's plus the same distance as last time
 *(fields of one object), whichever was right the last time one of them was value   likewise; values
 *of accesses and stamps are followed apart index   as far from the previous slot's as last time
 * Differences take 0 to 8 bytes each, their lengths stand in one control byte. There is no loop and
 * almost no branch in the writing of a slot: eight bytes are stored, the cursor moves by the
 *length. The decoder runs the same predictors, so `struct entry` and step() are shared by both.
 */
#include "trace/codec.h"
#include "base/mem.h"
#include "format/trace.h"
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <zstd.h>

#define ENTRIES_LOG 10
#define ENTRIES (1u << ENTRIES_LOG)
#define ZSTD_LEVEL 1
/* Columns this small are left alone: zstd costs time and gains little. */
#define ZSTD_MIN 512

enum column { COL_CTRL, COL_CODE, COL_SYM, COL_ADDR, COL_VALUE, COL_IDX, COLUMNS };
/* How the symbol is given, two bits a slot. */
enum code { CODE_NEXT, CODE_INDEX, CODE_LITERAL };

/* What a symbol did last. All zero at the start of a block. */
struct entry {
	uint64_t symbol;      /* kind and aux << 32 | site */
	uint64_t addr;	      /* last address */
	uint64_t addr_stride; /* distance that was seen twice in a row */
	uint64_t addr_step;   /* last distance */
	uint64_t addr_rel;    /* last distance from the slot before */
	uint64_t value, value_stride, value_step, value_rel;
	uint32_t idx_step;
	uint16_t next;	   /* entry that followed */
	uint8_t addr_near; /* predict from the slot before */
	uint8_t value_near;
	uint64_t pad[6];
};
_Static_assert(sizeof(struct entry) == 128, "index by shift");

struct state {
	uint64_t addr;	   /* of the previous slot that is not an EXT */
	uint64_t value[2]; /* of the previous slot with: 0 a value, 1 a stamp */
	uint32_t idx;
	uint32_t entry; /* of the previous slot */
};

struct fr_codec {
	struct entry entry[ENTRIES];
	uint8_t *column[COLUMNS];
	uint8_t *plain;	 /* FR_CODEC_BOUND, and room to read past the end */
	uint8_t *packed; /* ZSTD_compressBound of that */
	ZSTD_CCtx *cctx;
	ZSTD_DCtx *dctx;
};

struct fr_codec *fr_codec_new(void)
{
	static const uint8_t width[COLUMNS] = {1, 1, 6, 6, 8, 4};
	struct fr_codec *c = fr_xcalloc(1, sizeof(*c));

	for (int i = 0; i < COLUMNS; i++)
		c->column[i] = fr_xmalloc((size_t)width[i] * FR_CODEC_MAX_SLOTS + 8);
	c->plain = fr_xmalloc(FR_CODEC_BOUND(FR_CODEC_MAX_SLOTS));
	c->packed = fr_xmalloc(ZSTD_compressBound(FR_CODEC_BOUND(FR_CODEC_MAX_SLOTS)));
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

void fr_codec_freep(struct fr_codec **c)
{
	fr_codec_free(*c);
}

/* What a kind is, from its class in the table of kinds. Part of the format: see its document. */
#define KIND_STAMPED 1 /* `value` is a stamp */
#define KIND_EVENT 2   /* of the program */
#define KIND_SITES 4   /* says what sites there are */
static const uint8_t kind_flags[256] = {
#define FR_X(n, num, s, class)                                                                     \
	[num] = ((class) == 'a'	  ? KIND_EVENT                                                     \
		 : (class) == 'x' ? ((num) == FR_EV_TU || (num) == FR_EV_PC_SITE ? KIND_SITES : 0) \
				  : KIND_EVENT | KIND_STAMPED),
    FR_EVENT_KINDS(FR_X)
#undef FR_X
};

/* EXT slots are told apart by the slot that they belong to. */
static inline uint32_t home(uint64_t symbol, uint32_t previous)
{
	uint64_t ext = ((symbol >> 32) & 0xff) == FR_EV_EXT ? previous + 1 : 0;

	return (uint32_t)((symbol ^ ext << 44) * UINT64_C(0x9e3779b97f4a7c15) >>
			  (64 - ENTRIES_LOG));
}

static inline uint64_t zigzag(uint64_t d)
{
	return d << 1 ^ (uint64_t)((int64_t)d >> 63);
}

static inline uint64_t unzigzag(uint64_t z)
{
	return z >> 1 ^ -(z & 1);
}

/* Bytes that hold z, 0 to 8. */
static inline unsigned bytes_of(uint64_t z)
{
	return (z != 0) + ((63u - (unsigned)__builtin_clzll(z | 1)) >> 3);
}

/* Addresses have 48 bits: distances are taken modulo that, with a sign. */
static inline uint64_t wrap48(uint64_t d)
{
	return (uint64_t)((int64_t)(d << 16) >> 16);
}

static inline uint64_t predict_addr(const struct entry *e, const struct state *s)
{
	return e->addr_near ? s->addr + e->addr_rel : e->addr + e->addr_stride;
}

static inline uint64_t predict_value(const struct entry *e, const struct state *s, unsigned class)
{
	return e->value_near ? s->value[class] + e->value_rel : e->value + e->value_stride;
}

/* Learns from a slot; the same in both directions. */
static inline void step(struct entry *e, struct state *s, uint64_t addr, uint64_t value,
			uint32_t idx, unsigned class, bool ext)
{
	uint64_t d = addr - e->addr;
	bool far_hit = addr == ((e->addr + e->addr_stride) & FR_ADDR_MASK);
	bool near_hit = addr == ((s->addr + e->addr_rel) & FR_ADDR_MASK);

	e->addr_near = far_hit ? 0 : near_hit ? 1 : e->addr_near;
	e->addr_stride = d == e->addr_step ? d : e->addr_stride;
	e->addr_step = d;
	e->addr_rel = addr - s->addr;
	e->addr = addr;
	s->addr = ext ? s->addr : addr;

	d = value - e->value;
	far_hit = value == e->value + e->value_stride;
	near_hit = value == s->value[class] + e->value_rel;
	e->value_near = far_hit ? 0 : near_hit ? 1 : e->value_near;
	e->value_stride = d == e->value_step ? d : e->value_stride;
	e->value_step = d;
	e->value_rel = value - s->value[class];
	e->value = value;
	s->value[class] = value;

	e->idx_step = idx - s->idx;
	s->idx = idx;
}

/* A symbol that is new here takes the place of another. */
static inline void replace(struct entry *e, const struct state *s, uint64_t symbol, unsigned class)
{
	*e = (struct entry){.symbol = symbol, .addr = s->addr, .value = s->value[class]};
}

static inline uint64_t symbol_of(const struct fr_event *e)
{
	return e->w0 >> 48 << 32 | e->site;
}

static inline void store(uint8_t *p, uint64_t v)
{
	memcpy(p, &v, 8);
}

/* Lengths of values in bytes by their class in the control byte, and the other way. */
static const uint8_t value_bytes[8] = {0, 1, 2, 3, 4, 5, 6, 8};
static const uint8_t value_class[9] = {0, 1, 2, 3, 4, 5, 6, 7, 7};
static const uint8_t idx_bytes[4] = {0, 1, 2, 4};
static const uint8_t idx_class[5] = {0, 1, 2, 3, 3};

/* Finds the entry of a symbol that was not predicted, and says how. */
static __attribute__((noinline)) enum code lookup(struct fr_codec *c, const struct state *s,
						  uint64_t symbol, unsigned class, uint8_t **out,
						  uint32_t *ret)
{
	uint32_t i = home(symbol, s->entry);

	c->entry[s->entry].next = (uint16_t)i;
	*ret = i;
	if (c->entry[i].symbol == symbol) {
		store(*out, i);
		*out += 2;
		return CODE_INDEX;
	}
	replace(&c->entry[i], s, symbol, class);
	store(*out, symbol);
	*out += 6;
	return CODE_LITERAL;
}

static size_t encode_columns(struct fr_codec *c, const struct fr_event *ev, uint32_t n,
			     struct fr_encoded *ret)
{
	uint8_t *ctrl = c->column[COL_CTRL], *code = c->column[COL_CODE];
	uint8_t *sym = c->column[COL_SYM], *addr = c->column[COL_ADDR];
	uint8_t *value = c->column[COL_VALUE], *idx = c->column[COL_IDX];
	struct state s = {0};
	uint8_t *out = c->plain;
	uint32_t lengths[4], events = 0, any = 0;

	memset(c->entry, 0, sizeof(c->entry));
	memset(code, 0, (n + 3) / 4);
	for (uint32_t i = 0; i < n; i++) {
		uint64_t symbol = symbol_of(&ev[i]), a = ev[i].w0 & FR_ADDR_MASK, z;
		unsigned kind = (unsigned)(symbol >> 32) & 0xff, flags = kind_flags[kind];
		unsigned class = flags & KIND_STAMPED;
		uint32_t at = c->entry[s.entry].next, k;
		unsigned la, lv, li;
		struct entry *e;

		if (c->entry[at].symbol != symbol)
			code[i / 4] |=
			    (uint8_t)(lookup(c, &s, symbol, class, &sym, &at) << (i % 4 * 2));
		e = &c->entry[at];
		z = zigzag(wrap48(a - predict_addr(e, &s)));
		la = bytes_of(z);
		store(addr, z);
		addr += la;
		z = zigzag(ev[i].value - predict_value(e, &s, class));
		lv = value_class[bytes_of(z)];
		store(value, z);
		value += value_bytes[lv];
		k = ev[i].idx - s.idx - e->idx_step;
		z = (uint32_t)zigzag((uint64_t)(int64_t)(int32_t)k);
		li = idx_class[bytes_of(z)];
		memcpy(idx, &(uint32_t){(uint32_t)z}, 4);
		idx += idx_bytes[li];
		ctrl[i] = (uint8_t)(la | lv << 3 | li << 6);
		events += flags >> 1 & 1;
		any |= flags;
		step(e, &s, a, ev[i].value, ev[i].idx, class, kind == FR_EV_EXT);
		s.entry = at;
	}
	lengths[0] = (uint32_t)(sym - c->column[COL_SYM]);
	lengths[1] = (uint32_t)(addr - c->column[COL_ADDR]);
	lengths[2] = (uint32_t)(value - c->column[COL_VALUE]);
	lengths[3] = (uint32_t)(idx - c->column[COL_IDX]);
	memcpy(out, lengths, sizeof(lengths));
	out += sizeof(lengths);
	memcpy(out, ctrl, n);
	out += n;
	memcpy(out, code, (n + 3) / 4);
	out += (n + 3) / 4;
	for (int i = 0; i < 4; i++) {
		memcpy(out, c->column[COL_SYM + i], lengths[i]);
		out += lengths[i];
	}
	ret->events = events;
	ret->sites = any & KIND_SITES;
	return (size_t)(out - c->plain);
}

struct fr_encoded fr_codec_encode(struct fr_codec *c, const struct fr_event *e, uint32_t n)
{
	struct fr_encoded r = {.payload = c->plain};
	size_t packed;

	r.length = encode_columns(c, e, n, &r);
	r.plain = (uint32_t)r.length;
	if (r.length < ZSTD_MIN)
		return r;
	if (!c->cctx)
		c->cctx = ZSTD_createCCtx();
	if (!c->cctx)
		return r;
	packed = ZSTD_compressCCtx(c->cctx, c->packed, ZSTD_compressBound(r.length), c->plain,
				   r.length, ZSTD_LEVEL);
	if (ZSTD_isError(packed) || packed > r.length - r.length / 16)
		return r;
	r.payload = c->packed;
	r.length = packed;
	r.codec = 1;
	return r;
}

/* ---- decoding ---- */

struct cursor {
	const uint8_t *p, *end;
};

static inline bool take(struct cursor *c, unsigned n, uint64_t *ret)
{
	uint64_t v;

	if ((size_t)(c->end - c->p) < n)
		return false;
	memcpy(&v, c->p, 8); /* there is room behind the last column */
	*ret = n == 8 ? v : v & ((UINT64_C(1) << n * 8) - 1);
	c->p += n;
	return true;
}

static bool decode_symbol(struct fr_codec *c, const struct state *s, unsigned code,
			  struct cursor *sym, uint32_t *ret)
{
	uint32_t i = c->entry[s->entry].next;
	uint64_t v;

	switch (code) {
	case CODE_NEXT:
		break;
	case CODE_INDEX:
		if (!take(sym, 2, &v) || v >= ENTRIES)
			return false;
		i = (uint32_t)v;
		c->entry[s->entry].next = (uint16_t)i;
		break;
	case CODE_LITERAL:
		if (!take(sym, 6, &v))
			return false;
		i = home(v, s->entry);
		c->entry[s->entry].next = (uint16_t)i;
		replace(&c->entry[i], s, v, kind_flags[v >> 32 & 0xff] & KIND_STAMPED);
		break;
	default:
		return false;
	}
	*ret = i;
	return true;
}

static int decode_columns(struct fr_codec *c, size_t plain, struct fr_event *ev, uint32_t n)
{
	const uint8_t *ctrl = c->plain + 16, *code = ctrl + n;
	struct cursor col[4];
	struct state s = {0};
	uint32_t lengths[4];
	size_t at = 16 + (size_t)n + (n + 3) / 4;

	if (plain < at)
		return -EBADMSG;
	memcpy(lengths, c->plain, sizeof(lengths));
	for (int i = 0; i < 4; i++) {
		if (lengths[i] > plain - at)
			return -EBADMSG;
		col[i] = (struct cursor){c->plain + at, c->plain + at + lengths[i]};
		at += lengths[i];
	}
	if (at != plain)
		return -EBADMSG;
	memset(c->entry, 0, sizeof(c->entry));
	for (uint32_t i = 0; i < n; i++) {
		unsigned la = ctrl[i] & 7, lv = value_bytes[ctrl[i] >> 3 & 7];
		unsigned li = idx_bytes[ctrl[i] >> 6], kind, class;
		uint64_t za, zv, zi, addr, value;
		uint32_t ei, idx;
		struct entry *e;

		if (la > 6 || !decode_symbol(c, &s, code[i / 4] >> (i % 4 * 2) & 3, &col[0], &ei) ||
		    !take(&col[1], la, &za) || !take(&col[2], lv, &zv) || !take(&col[3], li, &zi))
			return -EBADMSG;
		e = &c->entry[ei];
		kind = (unsigned)(e->symbol >> 32) & 0xff;
		class = kind_flags[kind] & KIND_STAMPED;
		addr = (predict_addr(e, &s) + unzigzag(za)) & FR_ADDR_MASK;
		value = predict_value(e, &s, class) + unzigzag(zv);
		idx = s.idx + e->idx_step + (uint32_t)unzigzag(zi);
		ev[i] = (struct fr_event){.w0 = addr | e->symbol >> 32 << 48,
					  .value = value,
					  .site = (uint32_t)e->symbol,
					  .idx = idx};
		step(e, &s, addr, value, idx, class, kind == FR_EV_EXT);
		s.entry = ei;
	}
	for (int i = 0; i < 4; i++)
		if (col[i].p != col[i].end)
			return -EBADMSG;
	return 0;
}

int fr_codec_decode(struct fr_codec *c, const uint8_t *payload, size_t length, uint8_t codec,
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
