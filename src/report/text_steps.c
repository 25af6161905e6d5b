/* Prints the witness of an interleaving in columns of threads. No line exceeds 80 columns. */
#include "report/text.h"
#include "base/assert.h"
#include "base/json.h"
#include "base/term.h"
#include <inttypes.h>
#include <string.h>

#define INDENT 5
#define COLUMN 37 /* INDENT + 2 * COLUMN < 80 */
#define NAME 16
#define WIDE (79 - INDENT - 1) /* columns of thread name and step together */

unsigned fr_text_width(const char *s, size_t n)
{
	unsigned w = 0;

	for (size_t i = 0; i < n; i++)
		w += ((unsigned char)s[i] & 0xc0) != 0x80;
	return w;
}

void fr_text_short_position(struct fr_buf *b, const struct fr_position *p)
{
	const char *slash = strrchr(p->file, '/');

	if (!p->line)
		fr_buf_puts(b, "?");
	else
		fr_buf_printf(b, "%s:%" PRIu32, slash && slash[1] ? slash + 1 : p->file, p->line);
}

const char *fr_text_thread_name(const struct fr_finding_event *e)
{
	for (size_t i = e->stack.n; i-- > 0;)
		if (!fr_position_of_system(&e->stack.v[i]))
			return e->stack.v[i].function;
	return "";
}

void fr_text_thread(const struct fr_text *t, const struct fr_finding_event *e, struct fr_buf *out)
{
	if (t->imported)
		fr_buf_puts(out, e->path);
	else
		fr_buf_printf(out, "T%" PRIu32, e->thread);
}

/* Sets the cell to "T1 withdraw". */
static void column_head(const struct fr_text *t, const struct fr_finding_event *e,
			struct fr_buf *cell)
{
	cell->n = 0;
	fr_text_thread(t, e, cell);
	if (*fr_text_thread_name(e))
		fr_buf_printf(cell, " %s", fr_text_thread_name(e));
}

/* Sets the text to "bank.c:31  read balance = 100". */
static void step_text(struct fr_buf *b, const struct fr_finding_event *e)
{
	b->n = 0;
	fr_text_short_position(b, &e->at);
	fr_buf_printf(b, "  %s%s", e->atomic ? "atomic " : "", fr_op_name[e->access]);
	if (*e->name)
		fr_buf_printf(b, " %s", e->name);
	if (e->known && fr_op_class[e->access] != FR_C_LOCK && (!e->role || e->seen))
		fr_buf_printf(b, e->value > UINT32_MAX ? " = 0x%" PRIx64 : " = %" PRIu64, e->value);
}

/* Truncates the text to `columns`, with an ellipsis. */
static void cut(struct fr_buf *b, unsigned columns)
{
	size_t i = 0;

	fr_assert(columns);
	if (fr_text_width(b->s, b->n) <= columns)
		return;
	for (unsigned w = 0; w < columns - 1; w++) {
		unsigned n = fr_utf8_length((const unsigned char *)b->s + i, b->n - i);

		i += n ? n : 1;
	}
	b->n = i;
	fr_buf_puts(b, "…");
}

static void blanks(struct fr_buf *b, unsigned n)
{
	while (n--)
		fr_buf_puts(b, " ");
}

/* Prints a step in its column, with a mark if it is an event of the finding. */
static void line(const struct fr_text *t, const char *s, unsigned indent, bool mark)
{
	fr_assert(indent >= 2);
	blanks(t->out, indent - 2);
	fr_buf_printf(t->out, "%s %s%s%s\n", mark ? "*" : " ",
		      fr_term_seq(t->colour && mark, FR_BOLD), s,
		      fr_term_seq(t->colour && mark, FR_PLAIN_TEXT));
}

static void two_columns(const struct fr_text *t, const struct fr_interleaving *w,
			const struct fr_finding_event *second)
{
	const struct fr_finding_event *first = &w->event.v[0];
	FR_CLEANUP(fr_buf_free) struct fr_buf cell = {0};

	column_head(t, first, &cell);
	cut(&cell, COLUMN - 2);
	blanks(t->out, INDENT);
	fr_buf_puts(t->out, cell.s);
	fr_assert(fr_text_width(cell.s, cell.n) < COLUMN);
	blanks(t->out, COLUMN - fr_text_width(cell.s, cell.n));
	column_head(t, second, &cell);
	cut(&cell, COLUMN - 1);
	fr_buf_printf(t->out, "%s\n", cell.s);
	FR_VEC_FOREACH (e, &w->witness) {
		step_text(&cell, e);
		cut(&cell, COLUMN - 2);
		line(t, cell.s, INDENT + (e->thread == first->thread ? 0 : COLUMN), e->role);
	}
}

static void one_column(const struct fr_text *t, const struct fr_interleaving *w)
{
	FR_CLEANUP(fr_buf_free) struct fr_buf cell = {0}, thread = {0};
	unsigned width;

	FR_VEC_FOREACH (e, &w->witness) {
		thread.n = 0;
		fr_text_thread(t, e, &thread);
		cut(&thread, NAME);
		step_text(&cell, e);
		width = fr_text_width(thread.s, thread.n);
		fr_assert(width <= NAME);
		cut(&cell, WIDE - (width > 5 ? width : 5));
		blanks(t->out, INDENT - 2);
		fr_buf_printf(t->out, "%s %-5s %s\n", e->role ? "*" : " ", thread.s, cell.s);
	}
}

void fr_text_steps(const struct fr_text *t, const struct fr_interleaving *w)
{
	const struct fr_finding_event *second = NULL;
	bool more = false;

	FR_VEC_FOREACH (e, &w->event) {
		if (e->thread == w->event.v[0].thread)
			continue;
		more |= second && second->thread != e->thread;
		if (!second)
			second = e;
	}
	if (second && !more)
		two_columns(t, w, second);
	else
		one_column(t, w);
}

/* ---- the failing and the good order ---- */

struct step_order {
	FR_VEC(struct fr_finding_event) step; /* their vectors belong to the finding */
};

/* Adds the locks that the thread of an event holds, as acquisitions. */
static void add_locks(struct step_order *o, const struct fr_finding_event *e)
{
	FR_VEC_FOREACH (l, &e->lock)
		fr_vec_push(&o->step,
			    ((struct fr_finding_event){.thread = e->thread,
						       .path = e->path,
						       .access = l->shared ? FR_OP_ACQUIRE_SHARED
									   : FR_OP_ACQUIRE,
						       .name = l->name,
						       .at = l->at}));
}

/* Do all threads wait? Then the order of their acquisitions matters too. */
static bool all_wait(const struct fr_interleaving *w)
{
	FR_VEC_FOREACH (e, &w->event)
		if (e->role != FR_ROLE_WAITS)
			return false;
	return true;
}

static void failing_order(const struct fr_interleaving *w, struct step_order *ret)
{
	FR_VEC_FOREACH (e, &w->event)
		if (all_wait(w))
			add_locks(ret, e);
	FR_VEC_FOREACH (e, &w->event)
		fr_vec_push(&ret->step, *e);
}

/* In the other order, the attempt comes before the acquisition that refused it. */
static enum fr_op not_refused(enum fr_op op)
{
	return op == FR_OP_ACQUIRE_FAILED	   ? FR_OP_ACQUIRE
	       : op == FR_OP_ACQUIRE_SHARED_FAILED ? FR_OP_ACQUIRE_SHARED
						   : op;
}

static void good_order(const struct fr_interleaving *w, struct step_order *ret)
{
	const struct fr_finding_event *x =
	    &w->event.v[w->good == FR_GOOD_LAST_FIRST ? w->event.n - 1 : 0];
	bool x_first = w->good != FR_GOOD_SECOND_FIRST;

	for (size_t i = w->event.n; w->good == FR_GOOD_SWAPPED && i--;) {
		struct fr_finding_event step = w->event.v[i];

		step.access = not_refused(step.access);
		fr_vec_push(&ret->step, step);
	}
	for (unsigned pass = 0; w->good != FR_GOOD_SWAPPED && pass < 2; pass++)
		FR_VEC_FOREACH (e, &w->event) {
			if ((e->thread == x->thread) != (x_first == !pass))
				continue;
			if (all_wait(w))
				add_locks(ret, e);
			fr_vec_push(&ret->step, *e);
		}
}

/* Adds "T1 bank.c:31  read balance" to the line, at this column. */
static void order_cell(const struct fr_text *t, const struct fr_finding_event *e, unsigned column,
		       struct fr_buf *ret)
{
	FR_CLEANUP(fr_buf_free) struct fr_buf cell = {0}, step = {0};

	fr_text_thread(t, e, &cell);
	step_text(&step,
		  &(struct fr_finding_event){
		      .at = e->at, .access = e->access, .name = e->name, .atomic = e->atomic});
	fr_buf_printf(&cell, " %s", step.s);
	cut(&cell, COLUMN - 2);
	blanks(ret, column - fr_text_width(ret->s, ret->n));
	fr_buf_puts(ret, cell.s);
}

void fr_text_orders(const struct fr_text *t, const struct fr_interleaving *w)
{
	FR_CLEANUP(fr_buf_free) struct fr_buf row = {0};
	struct step_order fails = {0}, good = {0};

	failing_order(w, &fails);
	good_order(w, &good);
	fr_assert(fails.step.n == good.step.n);
	fr_buf_printf(t->out, "%*s%-*s%s\n", INDENT, "", COLUMN,
		      "the order that fails:", "a good order:");
	for (size_t i = 0; i < good.step.n; i++) {
		row.n = 0;
		order_cell(t, &fails.step.v[i], INDENT, &row);
		order_cell(t, &good.step.v[i], INDENT + COLUMN, &row);
		fr_buf_printf(t->out, "%s\n", row.s);
	}
	fr_vec_free(&fails.step);
	fr_vec_free(&good.step);
}
