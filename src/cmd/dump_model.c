/* The model of a run as text: one event per line in recorded order, then the assumptions. */
#include "cmd/dump_model.h"
#include "base/assert.h"
#include "base/escape.h"
#include "base/term.h"
#include "cmd/cmd.h"
#include "model/model.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct {
	unsigned flag;
	const char *name;
} flags[] = {{FR_F_ATOMIC, "atomic"}, {FR_F_TIMEOUT, "timeout"},  {FR_F_WAIT, "wait"},
	     {FR_F_SYNTH, "synth"},   {FR_F_LATE, "late"},	  {FR_F_BENIGN, "benign"},
	     {FR_F_RANGE, "range"},   {FR_F_BLOCKING, "blocking"}};

static void site_text(struct fr_buf *b, const struct fr_model *m, fr_ev e)
{
	struct fr_site_info s = fr_sites_get(m->trace->sites, m->ev[e].site);
	uint64_t line = fr_model_line(m, e);

	if (!s.known || !*s.file)
		return;
	fr_buf_printf(b, " %s:%" PRIu64 " %s", s.file, line ? line : s.line, s.function);
}

static void event_text(struct fr_buf *b, const struct fr_model *m, fr_ev e,
		       char *const *const *names)
{
	const struct fr_mev *x = &m->ev[e];
	unsigned class = fr_op_class[x->op];

	fr_assert(!fr_is_access(x) || (x->mask && x->obj < m->cls[FR_C_LOC].n));
	fr_buf_printf(b, "%8" PRIu32 "%c %-8s %8" PRIu64 " %-14s", e,
		      x->flags & FR_F_PART ? '+' : ' ', m->thread[x->thread].path,
		      fr_model_hook(m, e), fr_op_name[x->op]);
	if (fr_is_access(x)) {
		fr_buf_printf(b, " loc %" PRIu32 " %s 0x%" PRIx64 "/%02x", x->obj,
			      names[class][x->obj], m->cls[FR_C_LOC].obj[x->obj].addr, x->mask);
		if (!(x->flags & FR_F_NOVALUE))
			fr_buf_printf(b, " = 0x%" PRIx64, x->value >> (8 * __builtin_ctz(x->mask)));
	} else if (class == FR_C_THREAD) {
		fr_buf_printf(b, " %s", m->thread[x->obj].path);
	} else if (class == FR_C_MARK) {
		fr_buf_printf(b, " %s", fr_event_name(x->obj) ? fr_event_name(x->obj) : "?");
	} else {
		fr_buf_printf(b, " %" PRIu32 " %s", x->obj, names[class][x->obj]);
	}
	for (size_t i = 0; i < fr_array_size(flags); i++)
		if (x->flags & flags[i].flag)
			fr_buf_printf(b, " %s", flags[i].name);
	site_text(b, m, e);
}

static void print_end(const struct fr_model *m)
{
	uint64_t accesses = 0, parts = 0;
	char a[32], b[32], c[32];

	for (fr_ev e = 0; e < m->n; e++) {
		accesses += fr_is_access(&m->ev[e]);
		parts += (m->ev[e].flags & FR_F_PART) != 0;
	}
	printf("%s event%s in %s step%s, %s of them accesses\n", fr_term_number(m->n, a),
	       fr_plural(m->n), fr_term_number(m->n - parts, b), fr_plural(m->n - parts),
	       fr_term_number(accesses, c));
	printf("%" PRIu32 " threads, %" PRIu32 " locations, %" PRIu32 " locks, %" PRIu32
	       " heap objects\n",
	       m->nthreads, m->cls[FR_C_LOC].n, m->cls[FR_C_LOCK].n, m->cls[FR_C_HEAP].n);
	for (int i = 0; i < FR_MC_COUNT; i++)
		if (m->count[i])
			printf("%s: %s\n", fr_model_counter_text[i],
			       fr_term_number(m->count[i], a));
}

static void print_events(const struct fr_model *m)
{
	char **names[FR_C_COUNT];
	struct fr_buf line = {0};

	for (unsigned c = 0; c < FR_C_COUNT; c++) {
		names[c] = fr_xcalloc(m->cls[c].n, sizeof(**names));
		for (uint32_t i = 0; i < m->cls[c].n; i++)
			names[c][i] = fr_model_obj_name(m, c, i);
	}
	for (fr_ev e = 0; e < m->n && !ferror(stdout); e++) {
		line.n = 0;
		event_text(&line, m, e, (char *const *const *)names);
		fr_escape_from(&line, 0);
		puts(line.s);
	}
	fr_buf_free(&line);
	for (unsigned c = 0; c < FR_C_COUNT; c++) {
		for (uint32_t i = 0; i < m->cls[c].n; i++)
			free(names[c][i]);
		free(names[c]);
	}
}

int fr_dump_model(const char *dir, bool numbers_only)
{
	FR_CLEANUP(fr_model_freep) struct fr_model *m = NULL;
	struct fr_err err;

	if (fr_model_load(dir, &m, &err) < 0) {
		fr_say("%s", err.msg);
		return FR_EXIT_FAILED;
	}
	if (!numbers_only)
		print_events(m);
	print_end(m);
	if (fflush(stdout) || ferror(stdout)) {
		if (errno == EPIPE)
			return FR_EXIT_OK;
		fr_say("cannot write the output: %s", strerror(errno));
		return FR_EXIT_FAILED;
	}
	return FR_EXIT_OK;
}
