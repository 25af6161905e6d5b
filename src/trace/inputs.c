/*
 * Collects the inputs of a thread from the trace. A RANDOM and the MORE slots after it become one
 * answer, unless a signal handler made a call of its own between them. Lengths that do not match
 * their slots are an error, even if the checksums match: half of an answer would be a wrong answer.
 */
#include "trace/inputs.h"
#include "base/assert.h"
#include <errno.h>
#include <inttypes.h>
#include <string.h>

struct input_stream {
	struct fr_buf *out;
	size_t last; /* offset of the last record if it is a RANDOM, else SIZE_MAX */
};

static void pad(struct fr_buf *b)
{
	static const char zero[8];

	fr_buf_add(b, zero, -b->n & 7);
	fr_assert(!(b->n % 8));
}

static void add(struct input_stream *s, const struct fr_rec *rec, unsigned what, int64_t result,
		const void *bytes, uint32_t len)
{
	struct fr_control_file_input in = {
	    .what = (uint16_t)what, .len = len, .hook = rec->hook, .result = result};

	if (what == FR_INPUT_READ)
		in.from = fr_read_from(fr_event_addr(rec->e));
	s->last = what == FR_INPUT_RANDOM ? s->out->n : SIZE_MAX;
	fr_buf_add(s->out, &in, sizeof(in));
	fr_buf_add(s->out, bytes, len);
	pad(s->out);
}

/* Gets the bytes of a RANDOM or MORE. Returns false if slots are missing. */
static bool bytes_of(const struct fr_rec *rec, uint8_t *ret)
{
	uint64_t n = fr_event_addr(rec->e);

	if (n > FR_INPUT_BYTES || (n + 7) / 8 > rec->n)
		return false;
	for (uint64_t i = 0; i < n; i++)
		ret[i] = (uint8_t)(rec->e[i / 8].value >> i % 8 * 8);
	return true;
}

static void add_more(struct input_stream *s, const struct fr_rec *rec, const uint8_t *bytes)
{
	uint64_t n = fr_event_addr(rec->e);
	struct fr_control_file_input in = {0};

	fr_assert(s->last == SIZE_MAX || s->last + sizeof(in) <= s->out->n);
	if (s->last != SIZE_MAX)
		memcpy(&in, s->out->s + s->last, sizeof(in));
	if (s->last == SIZE_MAX || in.len % 8 || in.len + n > INT32_MAX) {
		add(s, rec, FR_INPUT_RANDOM, (int64_t)n, bytes, (uint32_t)n);
		return;
	}
	in.len += (uint32_t)n;
	in.result = in.len;
	memcpy(s->out->s + s->last, &in, sizeof(in));
	fr_buf_add(s->out, bytes, n);
	pad(s->out);
}

/* Returns false for a slot that the runtime does not write. */
static bool feed(struct input_stream *s, const struct fr_rec *rec)
{
	unsigned what = fr_event_aux(rec->e);
	uint64_t n = fr_event_addr(rec->e);
	int64_t value = (int64_t)rec->e->value;
	uint8_t bytes[FR_INPUT_BYTES];

	switch (what) {
	case FR_INPUT_RANDOM:
		if (!bytes_of(rec, bytes))
			return false;
		add(s, rec, what, n ? (int64_t)n : value, bytes, (uint32_t)n);
		return true;
	case FR_INPUT_MORE:
		if (!bytes_of(rec, bytes))
			return false;
		add_more(s, rec, bytes);
		return true;
	case FR_INPUT_READ:
		n = fr_read_bytes(n);
		add(s, rec, what, n ? (int64_t)n : value, &value, n ? sizeof(value) : 0);
		return true;
	case FR_INPUT_READY:
	case FR_INPUT_FILE:
		add(s, rec, what, value, &n, n ? sizeof(n) : 0);
		return true;
	case FR_INPUT_TIME:
	case FR_INPUT_CLOCK:
	case FR_INPUT_CPU:
	case FR_INPUT_PID:
	case FR_INPUT_PPID:
	case FR_INPUT_TID:
	case FR_INPUT_ACCEPT:
	case FR_INPUT_WRITE:
		add(s, rec, what, value, "", 0);
		return true;
	case FR_INPUT_NAME: /* names belong to the whole program: confirm/recorded.c reads them */
		return true;
	default:
		return false;
	}
}

int fr_inputs_collect(const struct fr_trace *t, const struct fr_trace_thread *th,
		      struct fr_buf *ret, struct fr_err *reterr)
{
	struct input_stream s = {.out = ret, .last = SIZE_MAX};
	size_t before = ret->n;
	struct fr_iter it;
	struct fr_rec rec;
	int r;

	fr_iter_open(&it, t, th);
	while ((r = fr_iter_next(&it, &rec, reterr)) > 0)
		if (fr_event_kind(rec.e) == FR_EV_INPUT && !feed(&s, &rec)) {
			r = fr_err_say(
			    reterr, -EBADMSG,
			    "'%s': invalid input from outside, in thread %s at hook %" PRIu64,
			    t->file, th->path, rec.hook);
			break;
		}
	fr_iter_close(&it);
	if (r < 0)
		ret->n = before;
	return r;
}
