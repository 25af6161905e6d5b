/* Inputs from outside the program, as text. */
#include "cmd/event_text.h"
#include <inttypes.h>

const char *fr_event_text_input_name(unsigned what)
{
	static const char *const name[256] = {
#define FR_X(n, num, s) [num] = s,
		FR_INPUTS(FR_X)
#undef FR_X
	};

	return what < 256 && name[what] ? name[what] : "?";
}

static void bytes(struct fr_buf *b, const struct fr_rec *rec, uint64_t n)
{
	fr_buf_printf(b, "%" PRIu64 " bytes:", n);
	for (uint64_t i = 0; i < n && i / 8 < rec->n; i++)
		fr_buf_printf(b, " %02x", (uint8_t)(rec->e[i / 8].value >> i % 8 * 8));
}

static void name(struct fr_buf *b, uint64_t what, uint64_t hash)
{
	static const char *const kind[] = {
#define FR_X(n, s) s,
		FR_NAME_KINDS(FR_X)
#undef FR_X
	};
	static const char *const known[] = {"there",   "absent",  "size",
					    "content", "changed", "corrected"};

	fr_buf_printf(b, "%s 0x%" PRIx64 ":",
		      (what >> 8 & 0xff) < FR_NAME_KIND_COUNT ? kind[what >> 8 & 0xff] : "?", hash);
	for (unsigned i = 0; i < fr_array_size(known); i++)
		if (what >> i & 1)
			fr_buf_printf(b, " %s", known[i]);
}

void fr_event_text_input(struct fr_buf *b, const struct fr_rec *rec)
{
	uint64_t n = fr_event_addr(rec->e), v = rec->e->value;
	unsigned what = fr_event_aux(rec->e);

	if (what == FR_INPUT_TIME)
		fr_buf_printf(b, "%" PRId64 " ns", (int64_t)v);
	else if (what == FR_INPUT_CLOCK || what == FR_INPUT_CPU)
		fr_buf_printf(b, "%" PRId64 " ns, clock %d", (int64_t)v, (int)(uint32_t)n);
	else if ((what == FR_INPUT_RANDOM || what == FR_INPUT_MORE) && n)
		bytes(b, rec, n);
	else if (what == FR_INPUT_READ && fr_read_bytes(n))
		fr_buf_printf(b, "%" PRIu64 " bytes, hash 0x%" PRIx64, fr_read_bytes(n), v);
	else if (what == FR_INPUT_NAME)
		name(b, n, v);
	else
		fr_buf_printf(b, "= %" PRId64, (int64_t)v);
}
