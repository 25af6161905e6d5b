/*
 * The candidates of a match: see property_hunt.h.
 *
 * Edges:       the events of the match come in their order, and the last ones are pending. Those of
 *              a || are pending at once if they are the last ones; elsewhere, edges say that
 *              neither had happened. Events that would disturb the automaton stay apart.
 * Locks:       an acquisition in the match happens: it is never only pending, except in a ||. If it
 *              is the last event, the next step of its thread is held pending in its place.
 * At the end:  a formula that only the end of the run makes false is violated if the whole rest of
 *              the run is possible after the match (fr_instance.to_end).
 * Grouping:    matches with the same events at the same sites are one group. Those with the same
 *              set of sites, apart from events that change nothing, are one bug.
 */
#include "generate/property_hunt.h"
#include "base/assert.h"
#include "causality/refute.h"
#include "generate/property_instance.h"
#include "symbols/symbol.h"
#include <inttypes.h>

/* Does reading the item leave each state that the match passes through as it is? */
static bool is_harmless(const struct fr_hunt *h, uint32_t item)
{
	uint32_t l = fr_hunt_letter(h, item, 0);

	for (uint32_t i = h->a->anchored ? 0 : 1; i < h->n; i++)
		if (fr_dfa_step(&h->a->dfa, h->state[i], l) != h->state[i])
			return false;
	return true;
}

static bool in_match(const struct fr_hunt *h, uint32_t item)
{
	for (uint32_t i = 0; i < h->n; i++)
		if (h->at[i] == item)
			return true;
	return false;
}

/* ---- candidates ---- */

/* Must the item be out, because it comes after an event of the match? */
static bool comes_after(const struct fr_hunt *h, uint32_t item)
{
	for (uint32_t i = 0; i < h->n; i++)
		if (fr_mhb(h->c, h->item.v[h->at[i]].ev, h->item.v[item].ev))
			return true;
	return false;
}

static int by_ev(const void *a, const void *b)
{
	fr_ev x = *(const fr_ev *)a, y = *(const fr_ev *)b;

	return (x > y) - (x < y);
}

static bool add_apart(struct fr_hunt *h, struct fr_candidate *c, fr_ev e)
{
	if (c->napart == FR_APART) {
		h->limited = true;
		h->ret->cut_off++;
		return false;
	}
	c->apart[c->napart++] = fr_head(h->m, e);
	return true;
}

/* Adds the events of a lane that must stay apart. Returns false if the match cannot be. */
static bool lane_apart(struct fr_hunt *h, const struct fr_hunt_lane *l, struct fr_candidate *c)
{
	fr_ev first = h->item.v[h->at[0]].ev, last_before = FR_NO_EV;

	for (uint32_t k = 0; k < l->item.n; k++) {
		uint32_t item = l->item.v[k];
		fr_ev e = h->item.v[item].ev;

		if (in_match(h, item) || is_harmless(h, item))
			continue;
		if (l->next && k < l->next) {
			if (k > l->from || h->a->anchored)
				return false; /* it happens, and disturbs */
			last_before = e;      /* and so are those before it */
			continue;
		}
		if (fr_mhb(h->c, e, first)) {
			if (h->a->anchored)
				return false;
			continue;
		}
		if (!add_apart(h, c, e))
			return false;
		if (comes_after(h, item) || h->a->anchored)
			break; /* it is out, and so are those after it */
	}
	return last_before == FR_NO_EV || add_apart(h, c, last_before);
}

/* Is the event after a pending one of its thread? Then it is out. */
static bool after_pending(const struct fr_model *m, const struct fr_candidate *c, fr_ev e)
{
	for (uint32_t k = 0; k < c->npending; k++)
		if (m->ev[c->pending[k]].thread == m->ev[e].thread && e >= c->pending[k])
			return true;
	return false;
}

static bool set_apart(struct fr_hunt *h, struct fr_candidate *c)
{
	uint32_t n = 0;

	c->first = h->a->anchored ? FR_NO_EV : fr_head(h->m, h->item.v[h->at[0]].ev);
	if (h->n == 1 && !h->a->anchored)
		return true;
	for (uint32_t l = 0; l < h->lanes; l++)
		if (!lane_apart(h, &h->lane[l], c))
			return false;
	if (c->napart)
		qsort(c->apart, c->napart, sizeof(*c->apart), by_ev);
	fr_assert(c->npending && c->napart <= FR_APART);
	for (uint32_t i = 0; i < c->napart; i++) {
		fr_ev e = c->apart[i];

		if (!after_pending(h->m, c, e) && e != c->first && (!n || c->apart[n - 1] != e))
			c->apart[n++] = e;
	}
	c->napart = n;
	/* If the first event is pending itself, everything in the reordering is before it. */
	if (after_pending(h->m, c, c->first == FR_NO_EV ? 0 : c->first) && c->first != FR_NO_EV)
		c->napart = 0;
	return true;
}

bool fr_hunt_add_edge(struct fr_candidate *c, fr_ev before, fr_ev after)
{
	if (c->nedges == FR_EDGES)
		return false;
	c->edge[c->nedges].before = before;
	c->edge[c->nedges++].after = after;
	return true;
}

/* The || that the i-th event of the match belongs to, or FR_NO_NAME. */
static uint32_t group_of(const struct fr_hunt *h, uint32_t i)
{
	return h->a->mark.v[h->a->letter.v[h->letter[i]].mark].group;
}

/* Orders the events of the match. The last `pending` of them are pending. */
static bool set_order(const struct fr_hunt *h, uint32_t pending, struct fr_candidate *c)
{
	fr_assert(pending <= h->n && !c->npending && !c->nedges);
	for (uint32_t i = 0; i < h->n; i++) {
		fr_ev e = h->item.v[h->at[i]].ev;

		if (i >= h->n - pending) {
			c->pending[c->npending++] = fr_head(h->m, e);
			continue;
		}
		if (i + 1 < h->n && !fr_hunt_add_edge(c, e, h->item.v[h->at[i + 1]].ev))
			return false;
		for (uint32_t k = i + 1; k < h->n - pending && group_of(h, i) != FR_NO_NAME; k++) {
			fr_ev f = h->item.v[h->at[k]].ev, before = fr_step_before(h->m, f);

			if (group_of(h, k) != group_of(h, i))
				break;
			if (before != FR_NO_EV && !fr_hunt_add_edge(c, before, e))
				return false;
		}
	}
	return true;
}

/* Must the i-th event of the match have happened? */
static bool must_happen(const struct fr_hunt *h, uint32_t i)
{
	unsigned op = h->m->ev[h->item.v[h->at[i]].ev].op;

	return (op == FR_OP_ACQUIRE || op == FR_OP_ACQUIRE_SHARED) && group_of(h, i) == FR_NO_NAME;
}

/* Can the last n events of the match be pending at once? Those of one || must be together. */
static bool can_be_pending(const struct fr_hunt *h, uint32_t n)
{
	uint32_t at = h->n - n;

	fr_assert(n && n <= h->n);
	for (uint32_t i = at; i < h->n; i++)
		if (must_happen(h, i))
			return false;

	if (at && group_of(h, at) != FR_NO_NAME && group_of(h, at) == group_of(h, at - 1))
		return false;
	for (uint32_t i = at; i < h->n; i++)
		for (uint32_t k = i + 1; k < h->n; k++) {
			fr_ev a = fr_head(h->m, h->item.v[h->at[i]].ev);
			fr_ev b = fr_head(h->m, h->item.v[h->at[k]].ev);

			if (h->m->ev[a].thread == h->m->ev[b].thread ||
			    fr_pair_infeasible(h->m, h->c, a, b) != FR_WHY_NONE)
				return false;
		}
	return true;
}

/* ---- groups ---- */

/* A hash of the match: of the sites in their order, or of the set of sites whose events change the
   state of the automaton. */
static uint64_t key_of(const struct fr_hunt *h, bool as_set)
{
	uint64_t sum = h->kind->automaton->dfa.states, each[FR_HUNT_MATCH];

	for (uint32_t i = 0; i < h->n; i++) {
		const struct fr_hunt_item *x = &h->item.v[h->at[i]];
		bool again = as_set && i + 1 < h->n && h->state[i + 1] == h->state[i];

		each[i] = fr_mix(h->m->ev[x->ev].site, x->event + 1);
		for (uint32_t k = 0; k < i; k++)
			again |= each[k] == each[i];
		if (as_set)
			sum += again ? 0 : each[i] | 1;
		else
			sum = fr_mix(sum, each[i]);
	}
	return sum >> 1 ? sum >> 1 : 1;
}

static void set_labels(const struct fr_hunt *h, struct fr_group *g)
{
	g->label = fr_xcalloc(h->n, sizeof(*g->label));
	for (uint32_t i = 0; i < h->n; i++)
		g->label[i] = h->kind->property->event.v[h->item.v[h->at[i]].event]->name.s;
}

static void name_block(const struct fr_hunt *h, const struct fr_spec_block *block, uint64_t offset,
		       struct fr_buf *b)
{
	struct fr_site_info s = fr_sites_get(h->m->trace->sites, block->site);

	if (s.known && *s.file)
		fr_buf_printf(b, "the block allocated at %s:%u", s.file, s.line);
	else
		fr_buf_printf(b, "the block allocated at 0x%" PRIx64, block->addr);
	if (offset)
		fr_buf_printf(b, ", byte %" PRIu64, offset);
}

static void name_address(const struct fr_hunt *h, uint64_t addr, struct fr_buf *b)
{
	FR_CLEANUP(fr_freep)
	char *name = h->m->trace ? fr_symbol_data(h->m->trace->run.modules.v,
						  h->m->trace->run.modules.n, addr)
				 : NULL;

	if (name)
		fr_buf_puts(b, name);
	else
		fr_buf_printf(b, "0x%" PRIx64, addr);
}

/* The values of the parameters: "c = the block allocated at jobs.c:12". */
static char *subject_of(const struct fr_hunt *h)
{
	const struct fr_property *p = h->kind->property;
	const struct fr_spec_block *block;
	struct fr_buf b = {0};

	for (uint32_t i = 0; i < p->param.n; i++) {
		uint64_t v = h->instance->value[i];

		if (!(h->instance->bound >> i & 1))
			continue;
		fr_buf_printf(&b, "%s%s = ", b.n ? ", " : "", p->param.v[i].name.s);
		block = p->param.v[i].pointer ? fr_identity_block(h->o, v) : NULL;
		if (block) {
			name_block(h, block, v & 0xffffff, &b);
		} else if (p->param.v[i].pointer) {
			name_address(h, v, &b);
		} else {
			fr_buf_printf(&b, "%" PRId64, (int64_t)v);
		}
	}
	if (!b.n)
		fr_buf_puts(&b, p->name.s);
	return b.s;
}

enum fr_role fr_hunt_role(const struct fr_hunt *h, uint32_t i, uint32_t n)
{
	return h->kind->generator.meeting == FR_MEETING_CYCLE && i >= h->n - n ? FR_ROLE_WAITS
									       : FR_ROLE_EVENT;
}

/* Holds the step after the last event of the match pending. Returns false if there is none. */
static bool hold_next(const struct fr_hunt *h, struct fr_candidate *c)
{
	fr_ev last = h->item.v[h->at[h->n - 1]].ev, next = fr_model_next(h->m, last);

	while (next != FR_NO_EV && h->m->ev[next].flags & FR_F_PART)
		next = fr_model_next(h->m, next);
	if (next == FR_NO_EV || !fr_hunt_add_edge(c, last, next))
		return false;
	c->pending[c->npending++] = next;
	return true;
}

/* Adds the form of the match with the last n events pending. */
static void add_form(struct fr_hunt *h, uint32_t n, struct fr_group *g)
{
	struct fr_instance *in = fr_instance_new(h->n);

	fr_assert(n <= h->n && h->state[0] == h->a->dfa.start);
	for (uint32_t i = 0; i < h->n; i++)
		in->actor[i] = (struct fr_actor){h->item.v[h->at[i]].ev, fr_hunt_role(h, i, n), 0};
	in->nheld = !n;
	in->to_end = !h->a->bad[h->state[h->n]];
	if (set_order(h, n, &in->what) && (n || hold_next(h, &in->what)) &&
	    set_apart(h, &in->what)) {
		fr_vec_push(&g->instance, in);
		h->limited |= in->to_end;
		h->added++;
	} else {
		fr_instance_free(in);
	}
}

struct fr_group *fr_hunt_group(struct fr_hunt *h)
{
	uint64_t key = key_of(h, false), *at = fr_map_put(&h->groups, key);

	if (!*at) {
		fr_vec_push(&h->ret->group,
			    ((struct fr_group){
				.key = key, .bug = key_of(h, true), .subject = subject_of(h)}));
		*at = h->ret->group.n;
		set_labels(h, &h->ret->group.v[*at - 1]);
	}
	h->ret->group.v[*at - 1].instances_seen++;
	return &h->ret->group.v[*at - 1];
}

void fr_hunt_add_match(struct fr_hunt *h)
{
	struct fr_group *g = fr_hunt_group(h);

	fr_assert(h->n && h->n <= FR_HUNT_MATCH);
	fr_assert(h->a->bad[h->state[h->n]] || h->a->ends_badly[h->state[h->n]]);
	h->limited |= h->added && g->instance.n >= FR_INSTANCES;
	for (uint32_t n = fr_min(h->n, (uint32_t)FR_SPEC_AT_ONCE); n; n--)
		if (g->instance.n < FR_INSTANCES && can_be_pending(h, n))
			add_form(h, n, g);
	if (must_happen(h, h->n - 1) && g->instance.n < FR_INSTANCES)
		add_form(h, 0, g);
}
