/*
 * Patterns in rows: the operators, and the words that the automata accept.
 */
#include "fixture.h"
#include "spec/spec_auto.h"
#include <string.h>

/* Does the automaton of a pattern accept a word? A word has one triple for each event: r or w, the
   location, the thread (`-`: another one), as in "r0a w0b". An upper-case thread: the event is
   the next one of a group at once. */
static bool accepts(const char *rows, const char *word)
{
	FR_CLEANUP(fr_spec_freep) struct fr_spec *s = fr_spec_parse("rows", rows, strlen(rows));
	struct fr_auto *a;
	struct fr_err err;
	uint32_t state, member = 0;
	bool bad;

	assert_int_equal(s->rows.n, 1);
	assert_int_equal(fr_auto_new(fr_rows_property(s, s->rows.v[0]), &a, &err), 0);
	state = a->dfa.start;
	for (; *word; word += 3 + (word[3] == ' ')) {
		uint32_t event = 2u * (uint32_t)(word[1] - '0') + (*word == 'w');
		uint32_t thread = word[2] == '-' ? FR_NO_NAME : (uint32_t)(word[2] | 32) - 'a';
		uint32_t mark = 0, letter;

		if (word[2] >= 'A' && word[2] <= 'Z') {
			while (a->mark.v[mark].group == FR_NO_NAME ||
			       a->mark.v[mark].member != member)
				mark++;
			member++;
		}
		letter = fr_auto_letter(a, event, thread, mark);
		assert_int_not_equal(letter, FR_NO_NAME);
		state = fr_dfa_step(&a->dfa, state, letter);
	}
	bad = a->bad[state];
	fr_auto_free(a);
	return bad;
}

static void a_pattern_is_a_property(void **state)
{
	const char *later = "pattern p\nE a b c\nT t u t\nSV x y x\nAT r w *\n";
	const char *next = "pattern p\nE a ; b c\nT t u t\nSV x x x\nAT r w w\n";
	const char *own = "pattern p\nE a ; b c\nT t t u\nSV x x x\nAT r w w\n";
	const char *once = "pattern p\nE a b || c\nT t t u\nSV x x x\nAT w r w\n";

	(void)state;
	assert_true(accepts(later, "r0a w1b r0a"));
	assert_true(accepts(later, "r0a w1b w0a"));
	assert_true(accepts(later, "r0a w0- r0b r1a w1b w1a w0a")); /* anything in between */
	assert_false(accepts(later, "r0a w1a w0a"));		    /* of one thread */
	assert_false(accepts(later, "r0a w0b w0a"));		    /* another location */
	assert_false(accepts(later, "w0a w1b w0a"));		    /* a write, not a read */
	assert_false(accepts(later, "r0a w1b"));
	assert_true(accepts(next, "r0a w0b w0a"));
	assert_true(accepts(next, "r0a r0- w0b r0b r0a w0a"));
	assert_false(accepts(next, "r0a r0a r0b w0b w0a")); /* not even the second read is next */
	assert_false(accepts(next, "r0a r0b w0b w0a"));
	assert_true(accepts(own, "r0a w0b w0a w0b"));
	assert_false(accepts(own, "r0a r0a w0b"));
	assert_true(accepts(once, "w0a r0A w0B"));
	assert_true(accepts(once, "w0a w0b r0- r0A w0B"));
	assert_false(accepts(once, "w0a r0a w0b"));
}

static void operators_are_read(void **state)
{
	const uint8_t want[][4] = {
	    {FR_LINK_LATER, FR_LINK_AT_ONCE},
	    {FR_LINK_LATER, FR_LINK_NEXT},
	    {FR_LINK_LATER, FR_LINK_AT_ONCE, FR_LINK_LATER, FR_LINK_NEXT},
	    {FR_LINK_LATER, FR_LINK_AT_ONCE, FR_LINK_LATER, FR_LINK_NEXT}, /* the row O */
	    /* PECAN's race; with a third event, or without regions, it is none */
	    {FR_LINK_LATER, FR_LINK_NEXT},
	    {FR_LINK_LATER, FR_LINK_LATER},
	};
	const char *text = "pattern a\nE a||b\nT t u\nSV x x\nAT r w\n"
			   "pattern b\nE a ;b\nT t u\nSV x x\nAR r s\nAT r w\n"
			   "pattern c\nE a|| b c; d\nT t u t u\nSV x x x x\nAT r w r w\n"
			   "pattern c2\nE a b c d\nO - at-once later consecutive\nT t u t u\n"
			   "SV x x x x\nAT r w r w\n"
			   "pattern d\nE a b\nT t u\nSV x x\nAR r s\nAT r w\n"
			   "pattern e\nE a b\nT t u\nSV x x\nAR r -\nAT r w\n";
	FR_CLEANUP(fr_spec_freep) struct fr_spec *s = fr_spec_parse("rows", text, strlen(text));

	(void)state;
	assert_int_equal(s->error.n, 0);
	assert_int_equal(s->rows.n, fr_array_size(want));
	for (size_t i = 0; i < s->rows.n; i++)
		for (uint32_t k = 0; k < s->rows.v[i]->n; k++)
			assert_int_equal(s->rows.v[i]->ev[k].link, want[i][k]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_pattern_is_a_property),
	    cmocka_unit_test(operators_are_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
