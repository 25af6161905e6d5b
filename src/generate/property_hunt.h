/*
 * The state of the search for the violations of one property (property.c), one instance after the
 * other, and the steps of its three parts:
 *
 *   search  (property_search.c)  finds matches: orders of events that the automaton rejects
 *   match   (property_match.c)   makes the candidates of a match, and puts them into groups
 *   walk    (property.c)         takes the matches that the lattice engine finds
 */
#ifndef FR_GENERATE_PROPERTY_HUNT_H
#define FR_GENERATE_PROPERTY_HUNT_H

#include "base/hash.h"
#include "generate/property.h"

#define FR_HUNT_NODES 4000u    /* of the search for one instance */
#define FR_HUNT_THREADS 16     /* threads of an instance that are tried */
#define FR_HUNT_MATCH FR_EDGES /* events of a match */
#define FR_HUNT_MARKS 64
_Static_assert(FR_HUNT_MATCH <= FR_TARGETS, "an actor for each event of a match");

struct fr_hunt_item {
	fr_ev ev;
	uint32_t event, thread; /* thread: index into `lane` */
	uint32_t partner;	/* of an event that opens regions: the item that closes them + 1 */
};

struct fr_hunt_lane {
	uint32_t thread; /* of the model */
	FR_VEC(uint32_t) item;
	uint32_t name; /* of the pattern, to which it is assigned; or FR_NO_NAME */
	uint32_t next; /* position after the last one in the match; 0: none is in the match yet */
	uint32_t from; /* position of the first one in the match */
};

struct fr_hunt {
	const struct fr_property_kind *kind;
	const struct fr_auto *a;
	const struct fr_model *m;
	const struct fr_causality *c;
	struct fr_groups *ret;
	struct fr_map groups; /* key -> index + 1 */
	const struct fr_occurrences *o;
	const struct fr_binding *instance;
	FR_VEC(struct fr_hunt_item) item;
	struct fr_hunt_lane lane[FR_HUNT_THREADS];
	uint32_t lanes;
	/* The match so far. state[i]: before item i. */
	uint32_t at[FR_HUNT_MATCH], letter[FR_HUNT_MATCH], state[FR_HUNT_MATCH + 1], n;
	uint32_t owner[FR_HUNT_MARKS]; /* item that has the mark + 1 */
	uint32_t nodes;
	uint64_t credit;
	uint32_t added; /* forms of the present instance */
	bool limited;	/* the present instance may have violations that are no candidates */
};

/* The letter of an item with a mark; FR_NO_NAME: the automaton has none. */
static inline uint32_t fr_hunt_letter(const struct fr_hunt *h, uint32_t item, uint32_t mark)
{
	const struct fr_hunt_item *i = &h->item.v[item];

	fr_assert_slow(item < h->item.n && i->thread < h->lanes);
	return fr_auto_letter(h->a, i->event, h->lane[i->thread].name, mark);
}

/* Adds the candidates of the match to its group: as many events pending as possible, then fewer. */
void fr_hunt_add_match(struct fr_hunt *h);
/* Returns the group of the match, which counts one more instance. */
struct fr_group *fr_hunt_group(struct fr_hunt *h);
/* Returns the role of the i-th event of the match, if the last n are pending. */
enum fr_role fr_hunt_role(const struct fr_hunt *h, uint32_t i, uint32_t n);
/* Returns false if the candidate has as many edges as it can have. */
bool fr_hunt_add_edge(struct fr_candidate *c, fr_ev before, fr_ev after);
/* Searches the instance whose items and lanes are loaded. */
void fr_hunt_search(struct fr_hunt *h);

#endif
