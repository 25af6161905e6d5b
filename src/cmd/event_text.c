/*
 * Events as text. The variable's name comes from the site. For an access through a pointer, the
 * name is the expression in the source (`conn->buf[]`), not the object, so the address stands
 * beside it.
 */
#include "cmd/event_text.h"
#include "base/assert.h"
#include "base/escape.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const order_name[8] = {"relaxed", "consume", "acquire", "release",
					  "acq_rel", "seq_cst", "?",	   "?"};
static const char *const outcome_name[16] = {"",	 "busy",      "timed out",   "owner died",
					     "deadlock", "not owner", "interrupted", "cancelled",
					     "serial",	 "error",     "?",	     "?",
					     "?",	 "?",	      "?",	     "?"};
static const char *const variant_name[4] = {"", "try", "timed", "wait"};
static const char *const type_name[4] = {"", "recursive", "errorcheck", "adaptive"};
static const char *const rmw_name[8] = {"xchg", "add", "sub", "and", "or", "xor", "nand", "other"};
static const char *const mem_name[8] = {"malloc", "calloc", "realloc", "aligned",
					"mmap",	  "stack",  "mmap",    "?"};

static uint64_t ext_addr(const struct fr_rec *r)
{
	return r->n > 1 ? fr_event_addr(&r->e[1]) : 0;
}

/* EXT addresses have 48 bits; a stride is signed. */
static int64_t ext_value(const struct fr_rec *r)
{
	return r->n > 1 ? (int64_t)r->e[1].value : 0;
}

bool fr_event_range(const struct fr_rec *rec, uint64_t *lo, uint64_t *hi)
{
	unsigned kind = fr_event_kind(rec->e);
	uint64_t at = fr_event_addr(rec->e), count, elem;
	int64_t stride;

	fr_assert(rec->n);
	*lo = *hi = at;
	switch (kind) {
	case FR_EV_LAST_READ:
	case FR_EV_LAST_WRITE:
		*hi = at + 8;
		return true;
	case FR_EV_RANGE_READ:
	case FR_EV_RANGE_WRITE:
		count = ext_addr(rec);
		stride = ext_value(rec);
		elem = rec->n > 1 ? rec->e[1].site : 1;
		if (count && stride < 0)
			*lo = at + (uint64_t)stride * (count - 1);
		*hi = (count && stride > 0 ? at + (uint64_t)stride * (count - 1) : at) +
		      (count ? elem : 0);
		return true;
	default:
		*hi = at + fr_access_size(kind, fr_event_aux(rec->e));
		return *hi > at;
	}
}

static void thread_name(struct fr_buf *b, const struct fr_trace *t, uint64_t id)
{
	const struct fr_trace_thread *th =
	    id <= UINT32_MAX ? fr_trace_thread(t, (uint32_t)id) : NULL;

	if (th)
		fr_buf_printf(b, "thread %s", th->path);
	else
		fr_buf_printf(b, "thread #%" PRIu64, id);
}

/* Prints an argument or a result. */
static void argument(struct fr_buf *b, const struct fr_event *e)
{
	uint64_t size = fr_event_addr(e);
	uint32_t half = (uint32_t)e->value;
	double d;
	float f;

	if (!size) {
		fr_buf_puts(b, "(not recorded)");
		return;
	}
	switch (e->site) {
	case FR_ARG_SIGNED:
		fr_buf_printf(b, "%" PRId64, (int64_t)e->value);
		break;
	case FR_ARG_POINTER:
		if (e->value)
			fr_buf_printf(b, "0x%" PRIx64, e->value);
		else
			fr_buf_puts(b, "NULL");
		break;
	case FR_ARG_FLOAT:
		memcpy(&d, &e->value, sizeof(d));
		memcpy(&f, &half, sizeof(f));
		if (size == 8 || size == 4)
			fr_buf_printf(b, "%.*g", size == 8 ? 15 : 7, size == 8 ? d : (double)f);
		else
			fr_buf_printf(b, "0x%" PRIx64, e->value);
		break;
	default:
		fr_buf_printf(b, "%" PRIu64, e->value);
	}
}

static void arguments(struct fr_buf *b, const struct fr_rec *rec)
{
	fr_buf_puts(b, "(");
	for (uint32_t i = 1; i < rec->n; i++) {
		fr_buf_puts(b, i > 1 ? ", " : "");
		argument(b, &rec->e[i]);
	}
	fr_buf_puts(b, fr_event_aux(rec->e) >= rec->n ? ", ...)" : ")");
}

static void result(struct fr_buf *b, const struct fr_rec *rec)
{
	if (rec->n < 2)
		return;
	fr_buf_puts(b, " = ");
	argument(b, &rec->e[1]);
}

/* The address, after the name of the object there if it is known. */
static void memory(struct fr_buf *b, const struct fr_trace *t, const struct fr_rec *rec,
		   const struct fr_site_info *s)
{
	uint64_t addr = fr_event_addr(rec->e);
	struct fr_site_object o;

	/* The name of a call site is the called function; the object stands beside it. */
	if (fr_sites_object(t->sites, fr_event_object_class(fr_event_kind(rec->e)), &rec->e->site,
			    1, &o))
		fr_buf_printf(b, "%.*s ", (int)o.length, o.name);
	else if (s->kind == FR_SITE_ACCESS && *s->name)
		fr_buf_printf(b, "%s ", s->name);
	else if (t->run.imported && fr_sites_name(t->sites, addr))
		fr_buf_printf(b, "%s ", fr_sites_name(t->sites, addr));
	fr_buf_printf(b, "0x%" PRIx64, addr);
}

void fr_event_text_object(struct fr_buf *b, const struct fr_trace *t, const struct fr_rec *rec)
{
	unsigned kind = fr_event_kind(rec->e);
	uint64_t addr = fr_event_addr(rec->e);
	struct fr_site_info s = fr_sites_get(t->sites, rec->e->site);

	switch (kind) {
	case FR_EV_THREAD_CREATE:
	case FR_EV_THREAD_START:
	case FR_EV_THREAD_JOIN:
	case FR_EV_THREAD_DETACH:
	case FR_EV_THREAD_CANCEL:
		if (addr)
			thread_name(b, t, addr);
		return;
	case FR_EV_SIGNAL_BEGIN:
	case FR_EV_SIGNAL_END:
		fr_buf_printf(b, "%s", strsignal((int)addr));
		return;
	case FR_EV_FORK:
		fr_buf_printf(b, "process %" PRIu64, addr);
		return;
	case FR_EV_FENCE:
	case FR_EV_THREAD_EXIT:
	case FR_EV_EXEC:
		return;
	case FR_EV_STAMP:
		fr_buf_printf(b, "stamp %" PRIu64, addr);
		return;
	case FR_EV_USER_EVENT:
		if (!fr_sites_name(t->sites, addr))
			break;
		fr_buf_printf(b, "\"%s\"", fr_sites_name(t->sites, addr));
		return;
	case FR_EV_BRANCH:
		if (s.kind == FR_SITE_BRANCH)
			fr_buf_puts(b, s.name);
		return;
	case FR_EV_INPUT:
		fr_buf_puts(b, fr_event_text_input_name(fr_event_aux(rec->e)));
		return;
	case FR_EV_CALL:
	case FR_EV_EXEC_BEGIN:
		fr_buf_puts(b, *s.name ? s.name : "?");
		arguments(b, rec);
		return;
	case FR_EV_RETURN:
	case FR_EV_EXEC_END:
		fr_buf_puts(b, *s.name ? s.name : "?");
		result(b, rec);
		return;
	case FR_EV_FRAMES:
		fr_buf_printf(b, "keep %" PRIu64 ", push %u", addr, fr_event_aux(rec->e));
		return;
	default:
		break;
	}
	memory(b, t, rec, &s);
}

static void number(struct fr_buf *b, const char *before, uint64_t v)
{
	if (v > UINT32_MAX)
		fr_buf_printf(b, "%s0x%" PRIx64, before, v);
	else
		fr_buf_printf(b, "%s%" PRIu64, before, v);
}

static void word(struct fr_buf *b, const char *w)
{
	if (*w)
		fr_buf_printf(b, " %s", w);
}

static void access_detail(struct fr_buf *b, const struct fr_rec *rec, unsigned kind, unsigned aux)
{
	bool plain = kind == FR_EV_READ || kind == FR_EV_WRITE;

	if (!(plain && aux & FR_ACC_NOVALUE))
		number(b, "= ", rec->e->value);
	if (plain) {
		word(b, aux & FR_ACC_VOLATILE ? "volatile" : "");
		word(b, aux & FR_ACC_UNALIGNED ? "unaligned" : "");
		word(b, aux & FR_ACC_LATE ? "late" : "");
		return;
	}
	if (kind == FR_EV_ATOMIC_RMW) {
		number(b, " -> ", (uint64_t)ext_value(rec));
		word(b, rmw_name[ext_addr(rec) & 7]);
	} else if (kind == FR_EV_ATOMIC_CAS) {
		number(b, aux & FR_ATOMIC_OK ? " -> " : " wanted ", (uint64_t)ext_value(rec));
		word(b, aux & FR_ATOMIC_OK ? "" : "failed");
	}
	word(b, order_name[FR_ATOMIC_ORDER(aux)]);
}

/* The first EXT slot has the length of the name, the first argument and the argument count. */
static void user_arguments(struct fr_buf *b, const struct fr_rec *rec)
{
	uint32_t n = rec->n > 1 ? rec->e[1].site : 0;

	for (uint32_t i = 0; i < n && i + 1 < rec->n; i++)
		number(b, i ? ", " : " ", rec->e[i + 1].value);
}

static void sync_detail(struct fr_buf *b, const struct fr_rec *rec, unsigned kind, unsigned aux)
{
	fr_buf_printf(b, "#%" PRIu64, rec->e->value);
	switch (kind) {
	case FR_EV_FENCE:
		word(b, order_name[FR_ATOMIC_ORDER(aux)]);
		word(b, aux & FR_FENCE_SIGNAL ? "signal" : "");
		return;
	case FR_EV_COND_WAIT:
		fr_buf_printf(b, " mutex 0x%" PRIx64, ext_addr(rec));
		break;
	case FR_EV_SEM_INIT:
	case FR_EV_BARRIER_INIT:
		fr_buf_printf(b, " count %" PRIu64, ext_addr(rec));
		break;
	case FR_EV_BARRIER_LEAVE:
		fr_buf_printf(b, " generation %" PRIu64, ext_addr(rec));
		break;
	case FR_EV_ALLOC:
	case FR_EV_FREE:
	case FR_EV_STACK_FREE:
		word(b, mem_name[aux & 7]);
		if (ext_addr(rec))
			fr_buf_printf(b, " %" PRIu64 " bytes", ext_addr(rec));
		return;
	case FR_EV_USER_EVENT:
		user_arguments(b, rec);
		return;
	case FR_EV_EXEC_END:
		word(b, aux & FR_CALL_UNWOUND ? "unwound" : "");
		word(b, aux & FR_CALL_TAIL ? "tail call" : "");
		return;
	case FR_EV_CALL:
	case FR_EV_RETURN:
	case FR_EV_EXEC_BEGIN:
	case FR_EV_SIGNAL_BEGIN:
	case FR_EV_SIGNAL_END:
		return;
	default:
		break;
	}
	word(b, variant_name[FR_SYNC_VARIANT(aux)]);
	if (kind >= FR_EV_RW_INIT && kind <= FR_EV_RW_UNLOCK)
		word(b, FR_SYNC_TYPE(aux) == FR_WRITERS_FIRST ? "writers-first" : "");
	else
		word(b, type_name[FR_SYNC_TYPE(aux)]);
	word(b, outcome_name[FR_SYNC_OUTCOME(aux)]);
}

static void branch_detail(struct fr_buf *b, const struct fr_rec *rec, unsigned aux)
{
	uint64_t v = rec->e->value;

	fr_assert(fr_event_kind(rec->e) == FR_EV_BRANCH);
	switch (aux) {
	case FR_BRANCH_IF:
		fr_buf_puts(b, v ? "= 1" : "= 0");
		break;
	case FR_BRANCH_SWITCH:
		number(b, "case ", v);
		break;
	case FR_BRANCH_INDIRECT:
		fr_buf_printf(b, "to 0x%" PRIx64, v);
		break;
	default:
		fr_buf_puts(b, aux == FR_BRANCH_LOOP	? "before a loop"
			       : aux == FR_BRANCH_RANGE ? "behind a loop"
							: "?");
	}
}

void fr_event_text_detail(struct fr_buf *b, const struct fr_trace *t, const struct fr_rec *rec)
{
	unsigned kind = fr_event_kind(rec->e), aux = fr_event_aux(rec->e);

	switch (kind) {
	case FR_EV_RANGE_READ:
	case FR_EV_RANGE_WRITE:
		fr_buf_printf(b, "%" PRIu64 " x %u bytes", ext_addr(rec),
			      rec->n > 1 ? rec->e[1].site : 0);
		if (rec->n > 1 && ext_value(rec) != (int64_t)rec->e[1].site)
			fr_buf_printf(b, ", every %" PRId64, ext_value(rec));
		if (aux & FR_RANGE_HASH)
			fr_buf_printf(b, ", hash 0x%" PRIx64, rec->e->value);
		return;
	case FR_EV_LAST_READ:
	case FR_EV_LAST_WRITE:
		if (kind == FR_EV_LAST_WRITE)
			number(b, "= ", rec->e->value);
		fr_buf_printf(b, " at %" PRIu64 " of ", ext_addr(rec));
		thread_name(b, t, (uint64_t)ext_value(rec));
		return;
	case FR_EV_PENDING:
		fr_buf_printf(b, "in %s", fr_event_name(aux) ? fr_event_name(aux) : "?");
		return;
	case FR_EV_BRANCH:
		branch_detail(b, rec, aux);
		return;
	case FR_EV_INPUT:
		fr_event_text_input(b, rec);
		return;
	case FR_EV_STAMP:
		fr_buf_printf(b, "clock %" PRIu64 " ns", rec->e->value);
		return;
	case FR_EV_TU:
		fr_buf_printf(b, "sites %" PRIu64 " to %" PRIu64, rec->e->value,
			      rec->e->value + rec->e->site - 1);
		return;
	default:
		break;
	}
	if (fr_event_class(kind) == 'a')
		access_detail(b, rec, kind, aux);
	else if (fr_event_class(kind) != 'x')
		sync_detail(b, rec, kind, aux);
}

void fr_event_text_site(struct fr_buf *b, const struct fr_trace *t, uint32_t site)
{
	struct fr_site_info s = fr_sites_get(t->sites, site);

	if (!site || !s.known) {
		fr_buf_printf(b, site ? "site %u" : "?", site);
		return;
	}
	if (*s.file)
		fr_buf_printf(b, "%s:%u:%u", s.file, s.line, s.column);
	else
		fr_buf_puts(b, "?");
	if (*s.function)
		fr_buf_printf(b, " %s", s.function);
}

/* Prints a site and the functions that were inlined around it. */
static unsigned stack_position(struct fr_buf *b, const struct fr_trace *t, uint32_t site,
			       unsigned n)
{
	struct fr_site_info s = fr_sites_get(t->sites, site);

	size_t start = b->n;

	fr_buf_printf(b, "        #%u ", n++);
	fr_event_text_site(b, t, site);
	fr_escape_from(b, start);
	fr_buf_puts(b, "\n");
	for (uint32_t i = 0; i < s.nframes; i++) {
		fr_escape_printf(b, "        #%u %s:%u:%u %s", n++, s.strings + s.frames[i].file,
				 s.frames[i].line, s.frames[i].column,
				 s.strings + s.frames[i].function);
		fr_buf_puts(b, "\n");
	}
	return n;
}

void fr_event_text_stack(struct fr_buf *b, const struct fr_trace *t, const struct fr_stack *s,
			 uint32_t site)
{
	unsigned n = stack_position(b, t, site, 0);

	for (size_t i = s->frame.n; i-- > 1;)
		n = stack_position(b, t, s->frame.v[i - 1].call, n);
}
