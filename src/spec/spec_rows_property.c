/*
 * The property that rows stand for (spec.h). Each symbol of row SV becomes a parameter with two
 * events, the reads and the writes of it. The body is the sequence of the rows' events:
 *
 *      later        any events of the property may happen in between
 *      at once      ||
 *      consecutive  in between, no event of the two threads
 *
 * It accepts more than the rows describe: row AR is left out, because regions of locks are no
 * events, and so are the steps that are no accesses to the memory of the pattern.
 */
#include "spec/spec_lex.h"

struct rows_draft {
	struct fr_spec *s;
	const struct fr_rows *rows;
	struct fr_property *p;
};

static struct fr_formula *node(struct rows_draft *d, enum fr_formula_op op)
{
	struct fr_formula *f = fr_spec_alloc(d->s, sizeof(*f));

	f->op = op;
	f->thread = f->opens = f->closes = FR_NO_NAME;
	return f;
}

static void add(struct fr_formula *f, struct fr_formula *sub)
{
	fr_vec_push(&f->sub, sub);
}

/* A formula whose parts are complete. With one part, it is that part. */
static struct fr_formula *done(struct rows_draft *d, struct fr_formula *f)
{
	struct fr_formula *only = f->sub.v[0];

	if (f->sub.n > 1 || f->op == FR_FM_STAR || f->op == FR_FM_NOT) {
		fr_spec_own(d->s, &f->sub);
		return f;
	}
	fr_vec_free(&f->sub);
	return only;
}

static struct fr_formula *event(struct rows_draft *d, uint32_t event, uint32_t thread)
{
	struct fr_formula *f = node(d, FR_FM_EVENT);

	f->event = event;
	f->thread = thread;
	return f;
}

/* Any event of a thread; FR_NO_NAME: of any thread. */
static struct fr_formula *any(struct rows_draft *d, uint32_t thread)
{
	struct fr_formula *f = node(d, FR_FM_EITHER);

	for (uint32_t e = 0; e < d->p->event.n; e++)
		add(f, event(d, e, thread));
	return done(d, f);
}

static struct fr_formula *star(struct rows_draft *d, struct fr_formula *sub)
{
	struct fr_formula *f = node(d, FR_FM_STAR);

	add(f, sub);
	return done(d, f);
}

/* Any events but those of a thread. */
static struct fr_formula *none_of(struct rows_draft *d, uint32_t thread)
{
	struct fr_formula *not = node(d, FR_FM_NOT), *f = node(d, FR_FM_SEQUENCE);

	add(f, star(d, any(d, FR_NO_NAME)));
	add(f, any(d, thread));
	add(f, star(d, any(d, FR_NO_NAME)));
	add(not, done(d, f));
	return done(d, not);
}

/* What may happen between event i and the one before it. */
static struct fr_formula *between(struct rows_draft *d, uint32_t i)
{
	const struct fr_row_event *ev = d->rows->ev;
	struct fr_formula *f;

	if (ev[i].link == FR_LINK_LATER)
		return star(d, any(d, FR_NO_NAME));
	f = node(d, FR_FM_BOTH);
	add(f, none_of(d, ev[i].thread));
	if (ev[i - 1].thread != ev[i].thread)
		add(f, none_of(d, ev[i - 1].thread));
	return done(d, f);
}

/* The events i to end - 1, which are at once. `kinds`: for each, whether it is a write. */
static struct fr_formula *group(struct rows_draft *d, uint32_t i, uint32_t end, uint32_t writes)
{
	struct fr_formula *f = node(d, FR_FM_AT_ONCE);

	for (uint32_t k = i; k < end; k++)
		add(f, event(d, 2u * d->rows->ev[k].loc + (writes >> (k - i) & 1),
			     d->rows->ev[k].thread));
	return done(d, f);
}

/* The same for all kinds of access that the events may be. */
static struct fr_formula *groups(struct rows_draft *d, uint32_t i, uint32_t end)
{
	const struct fr_row_event *ev = d->rows->ev;
	struct fr_formula *f = node(d, FR_FM_EITHER);

	for (uint32_t writes = 0; writes < 1u << (end - i); writes++) {
		bool fits = true;

		for (uint32_t k = i; k < end; k++)
			fits &= writes >> (k - i) & 1 ? ev[k].write : ev[k].read;
		if (fits)
			add(f, group(d, i, end, writes));
	}
	return done(d, f);
}

static void make_events(struct rows_draft *d)
{
	static const enum fr_cut_kind kind[] = {FR_POINT_GET, FR_POINT_SET};

	for (uint32_t i = 0; i < d->rows->n; i++) {
		char *symbol = d->rows->cell[FR_ROW_SV][i], *thread = d->rows->cell[FR_ROW_T][i];

		if (d->rows->ev[i].thread == d->p->thread.n)
			fr_vec_push(&d->p->thread, ((struct fr_spec_name){.s = thread}));
		if (d->rows->ev[i].loc < d->p->param.n)
			continue;
		fr_vec_push(
		    &d->p->param,
		    ((struct fr_spec_param){
			.name.s = symbol, .pointer = true, .is_unsigned = true, .bound = true}));
		for (size_t k = 0; k < fr_array_size(kind); k++) {
			struct fr_spec_event *e = fr_spec_alloc(d->s, sizeof(*e));
			struct fr_pointcut *both = fr_spec_alloc(d->s, sizeof(*both));

			both->kind = FR_POINT_AND;
			both->a = fr_spec_alloc(d->s, sizeof(*both));
			both->a->kind = kind[k];
			both->b = fr_spec_alloc(d->s, sizeof(*both));
			both->b->kind = FR_POINT_TARGET;
			fr_vec_push(&both->b->bind,
				    ((struct fr_spec_bind){.kind = FR_BIND_PARAM,
							   .name.s = symbol,
							   .param = d->rows->ev[i].loc}));
			fr_spec_own(d->s, &both->b->bind);
			*e = (struct fr_spec_event){
			    .name.s = symbol, .cut = both, .kinds = 1u << kind[k]};
			fr_vec_push(&d->p->event, e);
		}
	}
	fr_assert(d->p->event.n == 2 * d->p->param.n);
}

const struct fr_property *fr_rows_property(struct fr_spec *s, const struct fr_rows *rows)
{
	struct rows_draft d = {s, rows, fr_spec_alloc(s, sizeof(*d.p))};
	struct fr_formula *body = node(&d, FR_FM_SEQUENCE);

	d.p->name = rows->name;
	make_events(&d);
	for (uint32_t i = 0; i < rows->n;) {
		uint32_t end = i + 1;

		while (end < rows->n && rows->ev[end].link == FR_LINK_AT_ONCE)
			end++;
		if (i)
			add(body, between(&d, i));
		add(body, groups(&d, i, end));
		i = end;
	}
	d.p->body = done(&d, body);
	fr_spec_own(s, &d.p->param);
	fr_spec_own(s, &d.p->event);
	fr_spec_own(s, &d.p->thread);
	return d.p;
}
