/*
 * Automata of properties. fr_auto_new turns the body of a property, a pattern or a temporal
 * formula, into one minimal deterministic automaton, which judges a sequence of events of one
 * instance.
 *
 * Letters:  the automaton reads *letters*. A letter is an event of the property together with the
 *           attributes that the pattern can ask for: the thread name to which the event's thread is
 *           assigned, or none; the region that it opens or closes, or none; its branch of a `||`,
 *           or none. So a letter depends on an assignment of the names of the pattern to threads,
 *           regions and events of the run. Different thread names are assigned to different
 *           threads. A sequence violates the property if it does so with some assignment.
 * Answer:   `bad`: the sequence so far is a violation, whatever follows. `ends_badly`: it is one if
 *           the run ends here.
 * anchored: the automaton reads the sequence from its first event on. Otherwise the violation is a
 *           contiguous part of the sequence, and the automaton reads that part only.
 *
 * A pattern becomes a nondeterministic automaton (spec_nfa.c), and that a deterministic one by the
 * subset construction (spec_dfa.c). `!` and `&&` are complement and product. A formula becomes a
 * deterministic automaton directly (spec_ltl.c).
 */
#ifndef FR_SPEC_SPEC_AUTO_H
#define FR_SPEC_SPEC_AUTO_H

#include "spec/spec.h"

#define FR_AUTO_STATES 4096 /* of one automaton, at most */
#define FR_AUTO_LETTERS 1024

/* A complete deterministic automaton over the letters 0 ... letters - 1. */
struct fr_dfa {
	uint32_t states, letters, start;
	uint32_t *next; /* next[state * letters + letter] */
	bool *accept;
};
void fr_dfa_free(struct fr_dfa *d);
static inline uint32_t fr_dfa_step(const struct fr_dfa *d, uint32_t state, uint32_t letter)
{
	fr_assert_slow(state < d->states && letter < d->letters);
	return d->next[(size_t)state * d->letters + letter];
}
/* Replaces the automaton by the smallest that accepts the same sequences. */
void fr_dfa_minimise(struct fr_dfa *d);
/* Makes an automaton that accepts the sequences that both accept. Returns false if it has too many
   states. */
bool fr_dfa_both(const struct fr_dfa *a, const struct fr_dfa *b, struct fr_dfa *ret);
void fr_dfa_complement(struct fr_dfa *d);
/* For each state: can an accepting state be reached from it? */
bool *fr_dfa_live(const struct fr_dfa *d);

struct fr_nfa_edge {
	uint32_t from, to;
	uint32_t label; /* index of a set of letters; FR_NO_NAME: none is read */
};
/* A nondeterministic automaton. label[i] has one bool for each letter. */
struct fr_nfa {
	uint32_t states, letters, start, end; /* end: the accepting state */
	FR_VEC(struct fr_nfa_edge) edge;
	FR_VEC(bool *) label; /* owned */
};
void fr_nfa_free(struct fr_nfa *n);
/* The subset construction. Returns false if the result has too many states. */
bool fr_nfa_determinise(const struct fr_nfa *n, struct fr_dfa *ret);

/* A set of attributes that an event of the run can have beside its thread. */
struct fr_mark_set {
	uint32_t opens, closes; /* region, or FR_NO_NAME */
	uint32_t group, member; /* which || of the pattern, and its member; or FR_NO_NAME */
};
struct fr_letter {
	uint32_t event;
	uint32_t thread; /* name, or FR_NO_NAME: assigned to none */
	uint32_t mark;	 /* index into `mark`; 0: no attribute */
};

struct fr_auto {
	const struct fr_property *property;
	FR_VEC(struct fr_mark_set) mark; /* the first has no attribute */
	uint32_t groups;		 /* number of || in the pattern */
	FR_VEC(uint32_t) group_size;
	FR_VEC(struct fr_letter) letter;
	struct fr_dfa dfa;
	bool *bad, *ends_badly; /* by state */
	bool *live;		/* by state: a bad state, or one that ends badly, can be reached */
	bool anchored;
};

/* Returns 0, or -E2BIG if it has too many states or letters, or -EINVAL if it accepts nothing or
   everything, with a message for the user. Errors give no automaton. */
int fr_auto_new(const struct fr_property *p, struct fr_auto **ret, struct fr_err *reterr);
void fr_auto_free(struct fr_auto *a);
/* The letter of an event, or FR_NO_NAME. */
uint32_t fr_auto_letter(const struct fr_auto *a, uint32_t event, uint32_t thread, uint32_t mark);

/* The parts: a pattern's automaton over a->letter, and that of a formula over its events, which
   accepts the sequences for which the formula holds. Return 0 or -E2BIG with a message. */
int fr_auto_pattern(struct fr_auto *a, const struct fr_formula *f, struct fr_dfa *ret,
		    struct fr_err *reterr);
int fr_auto_ltl(const struct fr_formula *f, uint32_t events, struct fr_dfa *ret,
		struct fr_err *reterr);

#endif
