/*
 * The orders of an instance's events that violate a property: see property.h.
 *
 * Search:      depth first, for each assignment of the thread names of the pattern to threads. A
 *              step takes an event of the instance that the automaton can read on the path to a
 *              violation. In a thread already in the match, take its next event, or a later one if
 *              skipping disturbs nothing. In another thread, take any event, near ones first; from
 *              the first one if the property is about the whole run.
 * Complete:    every violation is found whose match has at most FR_EDGES events, unless a limit
 *              stops the search (cut_off). The match may contain events that change nothing.
 * Regions, ||: an event takes a mark of the pattern, once. The event that closes a region is the
 *              one that belongs to the event that opened it, by nesting. The events of a || are
 *              pending at once at the end of the match; elsewhere, edges say that neither had
 *              happened.
 * Locks:       an acquisition in the match happens: it is never only pending, except in a ||. If it
 *              is the last event, the next step of its thread is held pending in its place.
 * Recorded:    the order of the recorded run is tried first.
 * Limits:      where a limit stopped the search, or where one instance has more candidates than a
 *              group keeps, the lattice engine walks all orders of the instance
 *              (property_lattice.h). What it leaves open counts in cut_off. Of many instances that
 *              are alike, the group keeps the first, as other generators do.
 * At the end:  a formula that only the end of the run makes false is violated if the whole rest of
 *              the run is possible after the match (fr_instance.to_end).
 * Grouping:    matches with the same events at the same sites are one group. Those with the same
 *              set of sites, apart from events that change nothing, are one bug.
 */
#include "generate/property.h"
#include "base/assert.h"
#include "causality/refute.h"
#include "generate/property_instance.h"
#include "generate/property_lattice.h"
#include "symbols/symbol.h"
#include <inttypes.h>
#include <string.h>

#define NODES 4000u	/* of the search for one instance */
#define CREDIT 2000000u /* nodes for all instances, and for each occurrence: */
#define CREDIT_EACH 64u
#define STARTS 8	   /* events tried in a thread that has none in the match */
#define THREADS 16	   /* threads of an instance that are tried */
#define EVENTS_MAX 100000u /* of an instance that is searched */
#define MATCH_MAX FR_EDGES
#define MARKS 64
_Static_assert(MATCH_MAX <= FR_TARGETS, "an actor for each event of a match");

struct item {
	fr_ev ev;
	uint32_t event, thread; /* thread: index into `lane` */
	uint32_t partner;	/* of an event that opens regions: the item that closes them + 1 */
};

struct lane {
	uint32_t thread; /* of the model */
	FR_VEC(uint32_t) item;
	uint32_t name; /* of the pattern, to which it is assigned; or FR_NO_NAME */
	uint32_t next; /* position after the last one in the match; 0: none is in the match yet */
	uint32_t from; /* position of the first one in the match */
};

struct hunt {
	const struct fr_property_kind *kind;
	const struct fr_auto *a;
	const struct fr_model *m;
	const struct fr_causality *c;
	struct fr_groups *ret;
	struct fr_map groups; /* key -> index + 1 */
	const struct fr_occurrences *o;
	const struct fr_binding *instance;
	FR_VEC(struct item) item;
	struct lane lane[THREADS];
	uint32_t lanes;
	/* The match so far. state[i]: before item i. */
	uint32_t at[MATCH_MAX], letter[MATCH_MAX], state[MATCH_MAX + 1], n;
	uint32_t owner[MARKS]; /* item that has the mark + 1 */
	uint32_t nodes;
	uint64_t credit;
	uint32_t added; /* forms of the present instance */
	bool limited;	/* the present instance may have violations that are no candidates */
};

/* ---- letters ---- */

static uint32_t letter_of(const struct hunt *h, uint32_t item, uint32_t mark)
{
	const struct item *i = &h->item.v[item];

	fr_assert_slow(item < h->item.n && i->thread < h->lanes);
	return fr_auto_letter(h->a, i->event, h->lane[i->thread].name, mark);
}

/* May the item take the mark now? */
static bool may_mark(const struct hunt *h, uint32_t item, uint32_t mark)
{
	const struct fr_mark_set *m = &h->a->mark.v[mark];

	if (!mark)
		return true;
	if (mark >= MARKS || h->owner[mark])
		return false;
	if (m->opens != FR_NO_NAME && !h->item.v[item].partner)
		return false;
	if (m->closes == FR_NO_NAME)
		return true;
	for (uint32_t k = 1; k < h->a->mark.n && k < MARKS; k++)
		if (h->owner[k] && h->a->mark.v[k].opens == m->closes)
			return h->item.v[h->owner[k] - 1].partner == item + 1;
	return false;
}

/* Does reading the item leave each state that the match passes through as it is? */
static bool is_harmless(const struct hunt *h, uint32_t item)
{
	uint32_t l = letter_of(h, item, 0);

	for (uint32_t i = h->a->anchored ? 0 : 1; i < h->n; i++)
		if (fr_dfa_step(&h->a->dfa, h->state[i], l) != h->state[i])
			return false;
	return true;
}

static bool in_match(const struct hunt *h, uint32_t item)
{
	for (uint32_t i = 0; i < h->n; i++)
		if (h->at[i] == item)
			return true;
	return false;
}

/* ---- candidates ---- */

/* Must the item be out, because it comes after an event of the match? */
static bool comes_after(const struct hunt *h, uint32_t item)
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

static bool add_apart(struct hunt *h, struct fr_candidate *c, fr_ev e)
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
static bool lane_apart(struct hunt *h, const struct lane *l, struct fr_candidate *c)
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

static bool set_apart(struct hunt *h, struct fr_candidate *c)
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

static bool add_edge(struct fr_candidate *c, fr_ev before, fr_ev after)
{
	if (c->nedges == FR_EDGES)
		return false;
	c->edge[c->nedges].before = before;
	c->edge[c->nedges++].after = after;
	return true;
}

/* The || that the i-th event of the match belongs to, or FR_NO_NAME. */
static uint32_t group_of(const struct hunt *h, uint32_t i)
{
	return h->a->mark.v[h->a->letter.v[h->letter[i]].mark].group;
}

/* Orders the events of the match. The last `pending` of them are pending. */
static bool set_order(const struct hunt *h, uint32_t pending, struct fr_candidate *c)
{
	fr_assert(pending <= h->n && !c->npending && !c->nedges);
	for (uint32_t i = 0; i < h->n; i++) {
		fr_ev e = h->item.v[h->at[i]].ev;

		if (i >= h->n - pending) {
			c->pending[c->npending++] = fr_head(h->m, e);
			continue;
		}
		if (i + 1 < h->n && !add_edge(c, e, h->item.v[h->at[i + 1]].ev))
			return false;
		for (uint32_t k = i + 1; k < h->n - pending && group_of(h, i) != FR_NO_NAME; k++) {
			fr_ev f = h->item.v[h->at[k]].ev, before = fr_step_before(h->m, f);

			if (group_of(h, k) != group_of(h, i))
				break;
			if (before != FR_NO_EV && !add_edge(c, before, e))
				return false;
		}
	}
	return true;
}

/* Must the i-th event of the match have happened? */
static bool must_happen(const struct hunt *h, uint32_t i)
{
	unsigned op = h->m->ev[h->item.v[h->at[i]].ev].op;

	return (op == FR_OP_ACQUIRE || op == FR_OP_ACQUIRE_SHARED) && group_of(h, i) == FR_NO_NAME;
}

/* Can the last n events of the match be pending at once? Those of one || must be together. */
static bool can_be_pending(const struct hunt *h, uint32_t n)
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
static uint64_t key_of(const struct hunt *h, bool as_set)
{
	uint64_t sum = h->kind->automaton->dfa.states, each[MATCH_MAX];

	for (uint32_t i = 0; i < h->n; i++) {
		const struct item *x = &h->item.v[h->at[i]];
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

static void set_labels(const struct hunt *h, struct fr_group *g)
{
	g->label = fr_xcalloc(h->n, sizeof(*g->label));
	for (uint32_t i = 0; i < h->n; i++)
		g->label[i] = h->kind->property->event.v[h->item.v[h->at[i]].event]->name.s;
}

static void name_block(const struct hunt *h, const struct fr_spec_block *block, uint64_t offset,
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

static void name_address(const struct hunt *h, uint64_t addr, struct fr_buf *b)
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
static char *subject_of(const struct hunt *h)
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

/* The role of the i-th event, if the last n are pending. */
static enum fr_role role_of(const struct hunt *h, uint32_t i, uint32_t n)
{
	return h->kind->generator.meeting == FR_MEETING_CYCLE && i >= h->n - n ? FR_ROLE_WAITS
									       : FR_ROLE_EVENT;
}

/* Holds the step after the last event of the match pending. Returns false if there is none. */
static bool hold_next(const struct hunt *h, struct fr_candidate *c)
{
	fr_ev last = h->item.v[h->at[h->n - 1]].ev, next = fr_model_next(h->m, last);

	while (next != FR_NO_EV && h->m->ev[next].flags & FR_F_PART)
		next = fr_model_next(h->m, next);
	if (next == FR_NO_EV || !add_edge(c, last, next))
		return false;
	c->pending[c->npending++] = next;
	return true;
}

/* Adds the form of the match with the last n events pending. */
static void add_form(struct hunt *h, uint32_t n, struct fr_group *g)
{
	struct fr_instance *in = fr_instance_new(h->n);

	fr_assert(n <= h->n && h->state[0] == h->a->dfa.start);
	for (uint32_t i = 0; i < h->n; i++)
		in->actor[i] = (struct fr_actor){h->item.v[h->at[i]].ev, role_of(h, i, n), 0};
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

/* The group of the match, with one more instance seen. */
static struct fr_group *group_for(struct hunt *h)
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

/* Adds the forms of candidate of the match to its group: as many events pending as possible, then
   fewer. */
static void add_match(struct hunt *h)
{
	struct fr_group *g = group_for(h);

	fr_assert(h->n && h->n <= MATCH_MAX);
	fr_assert(h->a->bad[h->state[h->n]] || h->a->ends_badly[h->state[h->n]]);
	h->limited |= h->added && g->instance.n >= FR_INSTANCES;
	for (uint32_t n = fr_min(h->n, (uint32_t)FR_SPEC_AT_ONCE); n; n--)
		if (g->instance.n < FR_INSTANCES && can_be_pending(h, n))
			add_form(h, n, g);
	if (must_happen(h, h->n - 1) && g->instance.n < FR_INSTANCES)
		add_form(h, 0, g);
}

/* ---- the search ---- */

/* Can the match be extended by the item, as far as must-happen-before tells? */
static bool can_follow(const struct hunt *h, uint32_t item)
{
	for (uint32_t i = 0; i < h->n; i++)
		if (fr_mhb(h->c, h->item.v[item].ev, h->item.v[h->at[i]].ev))
			return false;
	return true;
}

static void search(struct hunt *h);

/* Takes the item at position k of a lane into the match, with each mark that it may have. */
static void take(struct hunt *h, struct lane *l, uint32_t k, bool changing)
{
	uint32_t item = l->item.v[k], old = l->next, from = l->from;

	h->limited |= h->n == MATCH_MAX;
	if (h->n == MATCH_MAX || !can_follow(h, item))
		return;
	for (uint32_t mark = 0; mark < h->a->mark.n; mark++) {
		uint32_t letter = letter_of(h, item, mark), s = h->state[h->n], to;

		if (letter == FR_NO_NAME || !may_mark(h, item, mark))
			continue;
		to = fr_dfa_step(&h->a->dfa, s, letter);
		if (!h->a->live[to] || (to != s) != changing || h->nodes >= NODES)
			continue;
		h->nodes++;
		h->at[h->n] = item;
		h->letter[h->n] = letter;
		h->state[++h->n] = to;
		if (!l->next)
			l->from = k;
		l->next = k + 1;
		if (mark < MARKS)
			h->owner[mark] = mark ? item + 1 : 0;
		if (h->a->bad[to] || (h->a->ends_badly[to] && h->n == h->item.n))
			add_match(h);
		if (!h->a->bad[to])
			search(h);
		fr_assert(h->n && h->at[h->n - 1] == item && l->next == k + 1);
		if (mark < MARKS)
			h->owner[mark] = 0;
		l->next = old;
		l->from = from;
		h->n--;
	}
}

/* Would the automaton stay in its state if the item were not in the match? */
static bool can_skip(const struct hunt *h, uint32_t item)
{
	uint32_t s = h->state[h->n];

	return fr_dfa_step(&h->a->dfa, s, letter_of(h, item, 0)) == s;
}

/* Tries the items of a lane that has items in the match, or of which the first one counts. */
static void try_next(struct hunt *h, struct lane *l, bool changing)
{
	for (uint32_t k = l->next; k < l->item.n; k++) {
		take(h, l, k, changing);
		if (!can_skip(h, l->item.v[k]))
			return;
	}
}

/* Tries items of a lane that has none in the match, those near the last of the match first. */
static void try_anywhere(struct hunt *h, struct lane *l, bool changing)
{
	fr_ev near = h->n ? h->item.v[h->at[h->n - 1]].ev : 0;
	uint32_t n = (uint32_t)l->item.n;
	uint32_t at = (uint32_t)fr_bisect(n, i, h->item.v[l->item.v[i]].ev < near);

	if (!h->n) {
		for (uint32_t k = 0; k < n; k++)
			take(h, l, k, changing);
		return;
	}
	for (uint32_t d = 0; d < n && d < STARTS; d++) {
		if (at + d < n)
			take(h, l, at + d, changing);
		if (d < at)
			take(h, l, at - 1 - d, changing);
	}
	if (n > 2 * STARTS) {
		h->limited = true;
		h->ret->cut_off++;
	}
}

static void search(struct hunt *h)
{
	for (unsigned pass = 0; pass < 2; pass++)
		for (uint32_t i = 0; i < h->lanes && h->nodes < NODES; i++) {
			struct lane *l = &h->lane[i];

			if (l->next || h->a->anchored)
				try_next(h, l, !pass);
			else
				try_anywhere(h, l, !pass);
		}
}

/* Follows the recorded order from an item on. */
static void try_recorded(struct hunt *h, uint32_t from)
{
	uint32_t k = from;

	fr_assert(from < h->item.n);
	h->n = 0;
	for (; k < h->item.n && h->n < MATCH_MAX; k++) {
		struct lane *l = &h->lane[h->item.v[k].thread];
		uint32_t mark = (uint32_t)h->a->mark.n, letter = 0, to = 0;
		uint32_t position = (uint32_t)fr_bisect(l->item.n, i, l->item.v[i] < k);

		while (mark--) {
			letter = letter_of(h, k, mark);
			if (letter == FR_NO_NAME || !may_mark(h, k, mark))
				continue;
			to = fr_dfa_step(&h->a->dfa, h->state[h->n], letter);
			if (h->a->live[to])
				break;
		}
		if (mark == UINT32_MAX || !h->a->live[to])
			break;
		h->at[h->n] = k;
		h->letter[h->n] = letter;
		h->state[++h->n] = to;
		if (!l->next)
			l->from = position;
		l->next = position + 1;
		if (mark && mark < MARKS)
			h->owner[mark] = k + 1;
		if (h->a->bad[to] || (h->a->ends_badly[to] && h->n == h->item.n)) {
			add_match(h);
			break;
		}
	}
	h->n = 0;
	memset(h->owner, 0, sizeof(h->owner));
	for (uint32_t i = 0; i < h->lanes; i++)
		h->lane[i].next = h->lane[i].from = 0;
}

static void with_assignment(struct hunt *h)
{
	h->state[0] = h->a->dfa.start;
	for (uint32_t i = 0; i < h->item.n && (!i || !h->a->anchored); i++)
		try_recorded(h, i);
	if (h->lanes > 1)
		search(h);
	fr_assert(!h->n);
}

/* Assigns the thread names from `name` on to lanes, in every way. A name may also stand for a
   thread without events of the instance; `outside` counts those that are left. */
static void assign(struct hunt *h, uint32_t name, uint32_t outside)
{
	fr_assert(name <= h->kind->property->thread.n);
	if (name == h->kind->property->thread.n) {
		with_assignment(h);
		return;
	}
	for (uint32_t i = 0; i < h->lanes; i++)
		if (h->lane[i].name == FR_NO_NAME) {
			h->lane[i].name = name;
			assign(h, name + 1, outside);
			h->lane[i].name = FR_NO_NAME;
		}
	if (outside)
		assign(h, name + 1, outside - 1);
}

/* ---- instances ---- */

/* Matches the events that open and close regions. */
static void find_partners(struct hunt *h)
{
	FR_CLEANUP(fr_freep)
	struct fr_lattice_item *item = fr_xcalloc(h->item.n + 1, sizeof(*item));

	for (size_t i = 0; i < h->item.n; i++)
		item[i] = (struct fr_lattice_item){h->item.v[i].ev, h->item.v[i].event, 0};
	fr_walker_partners(h->a, h->m, item, (uint32_t)h->item.n);
	for (size_t i = 0; i < h->item.n; i++)
		h->item.v[i].partner = item[i].partner;
}

/* The lane of a thread; a new one if there is room, else UINT32_MAX. */
static uint32_t lane_of(struct hunt *h, uint32_t thread)
{
	uint32_t i = 0;

	fr_assert(h->lanes <= THREADS);
	while (i < h->lanes && h->lane[i].thread != thread)
		i++;
	if (i == THREADS)
		return UINT32_MAX;
	if (i == h->lanes) {
		h->lane[i].thread = thread;
		h->lane[i].name = FR_NO_NAME;
		h->lane[i].item.n = 0;
		h->lane[i].next = h->lane[i].from = 0;
		h->lanes++;
	}
	return i;
}

static void hunt_instance(struct hunt *h, const struct fr_occurrences *o,
			  const fr_occurrence_list *list)
{
	h->item.n = h->lanes = 0;
	h->limited = false;
	h->added = 0;
	FR_VEC_FOREACH (i, list) {
		const struct fr_occurrence *e = &o->v.v[*i];
		uint32_t lane = lane_of(h, h->m->ev[e->ev].thread);

		if (lane == UINT32_MAX || h->item.n == EVENTS_MAX) {
			h->ret->cut_off++; /* a violation could be missed, and one invented */
			h->limited = true;
			return;
		}
		fr_assert(!h->item.n || h->item.v[h->item.n - 1].ev < e->ev); /* as recorded */
		fr_vec_push(&h->lane[lane].item, (uint32_t)h->item.n);
		fr_vec_push(&h->item, ((struct item){e->ev, e->event, lane, 0}));
	}
	if (h->kind->property->region.n)
		find_partners(h);
	fr_assert(h->lanes && h->lanes <= h->m->nthreads);
	h->nodes = 0;
	h->credit += (uint64_t)h->item.n * CREDIT_EACH;
	if (h->credit < NODES) {
		h->ret->cut_off++;
		h->limited = true;
		return;
	}
	assign(h, 0, h->m->nthreads - h->lanes);
	h->ret->cut_off += h->nodes >= NODES;
	h->limited |= h->nodes >= NODES;
	h->credit -= fr_min(h->credit, (uint64_t)h->nodes);
}

/* ---- walks ---- */

/* Makes the match of a walk that of the hunt: without events that change nothing, if there are too
   many, and then the last ones. *pending: how many of them are pending. */
static void take_match(struct hunt *h, const struct fr_walked *w, uint32_t *pending)
{
	const struct fr_lattice_answer *v = &w->answer;
	uint32_t before = h->a->dfa.start;
	bool all = v->match.n <= MATCH_MAX;

	h->n = *pending = 0;
	for (size_t i = 0; i < v->match.n; i++) {
		uint32_t to = v->match.v[i].state;
		bool last = i + v->npending >= v->match.n;

		if (!all && !last && to == before)
			continue;
		if (h->n == MATCH_MAX) {
			memmove(h->at, h->at + 1, (MATCH_MAX - 1) * sizeof(*h->at));
			memmove(h->state, h->state + 1, MATCH_MAX * sizeof(*h->state));
			h->n--;
		}
		h->state[h->n] = before;
		h->at[h->n++] = v->match.v[i].item;
		h->state[h->n] = before = to;
		*pending += last;
	}
}

/* Loads the events of a walked instance as the hunt's items. */
static void load_items(struct hunt *h, const struct fr_walked *w)
{
	h->item.n = 0;
	for (uint32_t i = 0; i < w->n; i++)
		fr_vec_push(&h->item, ((struct item){w->item[i].ev, w->item[i].event, 0, 0}));
	h->instance = w->instance;
}

/* Adds the violation that a walk found, with its schedule: it is tried first. */
static void add_walked(void *arg, struct fr_walked *w)
{
	struct hunt *h = arg;
	struct fr_instance *in;
	struct fr_group *g;
	uint32_t pending;

	load_items(h, w);
	take_match(h, w, &pending);
	fr_assert(h->n && pending && pending <= h->n);
	in = fr_instance_new(h->n);
	in->found = true;
	in->to_end = w->answer.at_end;
	in->mask = w->mask;
	in->schedule = w->answer.schedule;
	w->answer.schedule = (struct fr_schedule){0};
	for (uint32_t i = 0; i < h->n; i++) {
		fr_ev e = h->item.v[h->at[i]].ev, head = fr_head(h->m, e);
		bool last = i + pending >= h->n;

		in->actor[i] = (struct fr_actor){e, role_of(h, i, pending), 0};
		if (last && !fr_is_pending(&in->what, head))
			in->what.pending[in->what.npending++] = head;
		if (i && i + pending <= h->n)
			add_edge(&in->what, h->item.v[h->at[i - 1]].ev, e);
	}
	g = group_for(h);
	if (g->instance.n == FR_INSTANCES)
		fr_instance_free(g->instance.v[--g->instance.n]);
	fr_vec_push(&g->instance, in);
	memmove(g->instance.v + 1, g->instance.v, (g->instance.n - 1) * sizeof(*g->instance.v));
	g->instance.v[0] = in;
	h->n = 0;
}

/* Notes the present instance for a walk, with the number of limits that stopped its search. */
static void note_walk(struct hunt *h, struct fr_walker *w, uint64_t cut_off)
{
	if (h->limited)
		fr_walker_note(w, h->instance, cut_off);
	else
		h->ret->cut_off += cut_off;
}

void fr_property_generate(const struct fr_generator *self, const struct fr_model *m,
			  const struct fr_causality *c, const struct fr_generate_opt *opt,
			  struct fr_groups *ret)
{
	const struct fr_property_kind *kind = (const struct fr_property_kind *)self;
	struct hunt h = {
	    .kind = kind, .a = kind->automaton, .m = m, .c = c, .ret = ret, .credit = CREDIT};
	struct fr_occurrences o;
	struct fr_instances x;
	fr_occurrence_list list = {0};
	struct fr_walker walker = {.kind = kind, .m = m, .c = c, .opt = opt, .ret = ret};
	size_t n = 0;

	fr_assert(self->generate == fr_property_generate); /* so it is the start of a kind */
	*ret = (struct fr_groups){0};
	fr_occurrences_find(m, kind->property, &o);
	h.o = &o;
	fr_instances_init(&x, &o);
	FR_VEC_FOREACH (i, &x.v) {
		uint64_t before = ret->cut_off, cut_off;

		fr_instances_events(&x, i, &list);
		if (!list.n)
			continue;
		h.instance = i;
		hunt_instance(&h, &o, &list);
		cut_off = ret->cut_off - before;
		ret->cut_off = before;
		note_walk(&h, &walker, cut_off);
	}
	ret->cut_off += x.cut_off;
	fr_walker_run(&walker, &x, add_walked, &h);
	for (size_t i = 0; i < ret->group.n; i++)
		if (ret->group.v[i].instance.n)
			ret->group.v[n++] = ret->group.v[i];
		else
			fr_group_free(&ret->group.v[i]);
	ret->group.n = n;
	fr_instances_free(&x);
	fr_occurrences_free(&o);
	fr_vec_free(&list);
	fr_vec_free(&h.item);
	for (uint32_t i = 0; i < THREADS; i++)
		fr_vec_free(&h.lane[i].item);
	fr_map_free(&h.groups);
	fr_groups_sort(ret);
}
