/*
 * Automata of properties against brute force. Patterns: a matcher that follows the tree, on all
 * short words. Formulas: an evaluator that follows the definition of each operator, and a second
 * translation, both on all short words. The second translation guesses the values of all temporal
 * subformulas at each event and checks that neighbours agree (the closure of the formula).
 */
#include "fixture.h"
#include "spec/spec_auto.h"
#include <string.h>

static uint64_t random_state;

static unsigned pick(unsigned n)
{
	return (unsigned)(fx_random(&random_state) % n);
}

static struct fr_spec *parse(const char *head, const char *body)
{
	FR_CLEANUP(fr_freep) char *text = fr_xasprintf("property P() { %s %s }", head, body);
	struct fr_spec *s = fr_spec_parse("x", text, strlen(text));

	return s;
}

/* Calls f for each word of at most `longest` letters. */
static void all_words(uint32_t letters, uint32_t longest, void *arg,
		      void (*f)(void *arg, const uint32_t *word, uint32_t n))
{
	uint32_t word[8] = {0};

	assert_in_range(longest, 1, 8);
	for (uint32_t n = 0; n <= longest; n++) {
		uint32_t i;

		memset(word, 0, sizeof(word));
		do {
			f(arg, word, n);
			for (i = 0; i < n && ++word[i] == letters; i++)
				word[i] = 0;
		} while (i < n);
	}
}

static uint32_t run(const struct fr_dfa *d, const uint32_t *word, uint32_t n)
{
	uint32_t s = d->start;

	for (uint32_t i = 0; i < n; i++)
		s = fr_dfa_step(d, s, word[i]);
	return s;
}

/* ---- patterns ---- */

struct matching {
	const struct fr_auto *a;
	const struct fr_formula *top;
	const uint32_t *word;
	uint32_t counted, accepted;
};

/* Which || of the pattern the node is, in the order of the text. */
static bool find_group(const struct fr_formula *f, const struct fr_formula *g, uint32_t *n)
{
	if (f == g)
		return true;
	*n += f->op == FR_FM_AT_ONCE;
	FR_VEC_FOREACH (s, &f->sub)
		if (find_group(*s, g, n))
			return true;
	return false;
}

static bool is_letter(const struct matching *x, const struct fr_formula *f, uint32_t letter,
		      uint32_t group, uint32_t member)
{
	const struct fr_letter *l = &x->a->letter.v[letter];
	const struct fr_mark_set *m = &x->a->mark.v[l->mark];

	return l->event == f->event && (f->thread == FR_NO_NAME || f->thread == l->thread) &&
	       (f->opens == FR_NO_NAME || f->opens == m->opens) &&
	       (f->closes == FR_NO_NAME || f->closes == m->closes) &&
	       (group == FR_NO_NAME || (m->group == group && m->member == member));
}

static bool matches(const struct matching *x, const struct fr_formula *f, uint32_t i, uint32_t j);

/* Do the parts from k on match [i, j) one after the other? */
static bool in_sequence(const struct matching *x, const struct fr_formula *f, size_t k, uint32_t i,
			uint32_t j)
{
	if (k == f->sub.n)
		return i == j;
	for (uint32_t m = i; m <= j; m++)
		if (matches(x, f->sub.v[k], i, m) && in_sequence(x, f, k + 1, m, j))
			return true;
	return false;
}

/* Does some order of the members of `left` match [i, j)? */
static bool in_some_order(const struct matching *x, const struct fr_formula *f, unsigned left,
			  uint32_t group, uint32_t i, uint32_t j)
{
	if (!left || i == j)
		return !left && i == j;
	for (uint32_t k = 0; k < f->sub.n; k++)
		if (left >> k & 1 && is_letter(x, f->sub.v[k], x->word[i], group, k) &&
		    in_some_order(x, f, left & ~(1u << k), group, i + 1, j))
			return true;
	return false;
}

static bool repeats(const struct matching *x, const struct fr_formula *f, uint32_t i, uint32_t j)
{
	if (i == j)
		return true;
	for (uint32_t m = i + 1; m <= j; m++)
		if (matches(x, f, i, m) && repeats(x, f, m, j))
			return true;
	return false;
}

static bool matches(const struct matching *x, const struct fr_formula *f, uint32_t i, uint32_t j)
{
	uint32_t group = 0;

	switch (f->op) {
	case FR_FM_EVENT:
		return j == i + 1 && is_letter(x, f, x->word[i], FR_NO_NAME, 0);
	case FR_FM_SEQUENCE:
		return in_sequence(x, f, 0, i, j);
	case FR_FM_EITHER:
		FR_VEC_FOREACH (s, &f->sub)
			if (matches(x, *s, i, j))
				return true;
		return false;
	case FR_FM_BOTH:
		FR_VEC_FOREACH (s, &f->sub)
			if (!matches(x, *s, i, j))
				return false;
		return true;
	case FR_FM_AT_ONCE:
		find_group(x->top, f, &group);
		return in_some_order(x, f, (1u << f->sub.n) - 1, group, i, j);
	case FR_FM_NOT:
		return !matches(x, f->sub.v[0], i, j);
	case FR_FM_MAYBE:
		return i == j || matches(x, f->sub.v[0], i, j);
	case FR_FM_STAR:
		return repeats(x, f->sub.v[0], i, j);
	default: /* + */
		return matches(x, f->sub.v[0], i, j) || (i != j && repeats(x, f->sub.v[0], i, j));
	}
}

static void check_match(void *arg, const uint32_t *word, uint32_t n)
{
	struct matching *x = arg;
	bool want, got = x->a->bad[run(&x->a->dfa, word, n)];

	x->word = word;
	if (x->a->anchored) { /* !R: no continuation of up to three letters matches R */
		want = true;
		for (uint32_t k = 0; k <= 3 && want; k++) {
			uint32_t longer[8];
			uint32_t letters = (uint32_t)x->a->letter.n, words = 1;

			for (uint32_t i = 0; i < k; i++)
				words *= letters;
			memcpy(longer, word, n * sizeof(*word));
			x->word = longer;
			for (uint32_t w = 0; w < words && want; w++) {
				for (uint32_t i = 0, rest = w; i < k; i++, rest /= letters)
					longer[n + i] = rest % letters;
				want = !matches(x, x->top->sub.v[0], 0, n + k);
			}
		}
		if (!want)
			assert_false(got);
		/* A continuation may be longer than three letters, so `want` alone says nothing. */
	} else {
		want = matches(x, x->top, 0, n);
		if (want != got)
			fail_msg("a word of %u letters: %d by the pattern, %d by the automaton", n,
				 want, got);
	}
	x->counted++;
	x->accepted += got;
}

static void random_pattern(struct fr_buf *b, unsigned depth, bool plain)
{
	static const char *const post[] = {"", "", "*", "+", "?"};
	static const char *const join[] = {" ", " ", " | ", " && "};
	unsigned how = depth ? pick(8) : 0;

	if (how < 2) {
		fr_buf_puts(b, pick(2) ? "a" : "b");
		if (!pick(4))
			fr_buf_puts(b, pick(2) ? "(t1)" : "(t2)");
		fr_buf_puts(b, post[pick(5)]);
	} else if (how == 2 && !plain) {
		fr_buf_puts(b, " a(t1)||b(t2) ");
	} else if (how < 5) {
		const char *sign = post[pick(5)];
		bool not = pick(2);

		fr_buf_puts(b, not? " !(" : " (");
		random_pattern(b, depth - 1, plain || not|| *sign);
		fr_buf_printf(b, ")%s", sign);
	} else {
		const char *sign = join[pick(4)];

		fr_buf_puts(b, "(");
		random_pattern(b, depth - 1, plain || sign[1] == '&');
		fr_buf_puts(b, sign);
		random_pattern(b, depth - 1, plain || sign[1] == '&');
		fr_buf_puts(b, ")");
	}
}

static void test_patterns(void **state)
{
	uint64_t accepted = 0, counted = 0;
	unsigned good = 0;

	(void)state;
	random_state = 11;
	for (unsigned i = 0; i < 1500; i++) {
		FR_CLEANUP(fr_buf_free) struct fr_buf b = {0};
		FR_CLEANUP(fr_spec_freep) struct fr_spec *s = NULL;
		struct matching x = {0};
		struct fr_auto *a;
		struct fr_err err;

		fr_buf_puts(&b, "pattern: ");
		random_pattern(&b, 3, false);
		s = parse("event a mark(\"a\"); event b mark(\"b\");", b.s);
		if (s->error.n)
			continue;
		assert_int_equal(fr_auto_new(s->property.v[0], &a, &err), 0);
		x.a = a;
		x.top = s->property.v[0]->body;
		all_words((uint32_t)a->letter.n, a->letter.n > 6 ? 3 : 4, &x, check_match);
		accepted += x.accepted;
		counted += x.counted;
		good++;
		fr_auto_free(a);
	}
	assert_in_range(good, 400, 1500);
	assert_in_range(accepted, 1000, counted - 1000);
}

/* The patterns of the papers, and which sequences violate them. */
static void test_examples(void **state)
{
	static const struct {
		const char *pattern;
		const char *word; /* letters of a and b */
		bool bad;
	} cases[] = {
	    {"pattern: a b* a", "abba", true},	{"pattern: a b* a", "ab", false},
	    {"pattern: !(a b)", "a", false},	{"pattern: !(a b)", "b", true},
	    {"pattern: !(a b)", "aba", true},	{"pattern: !(a b*)", "abbb", false},
	    {"pattern: a !b a", "aa", true},	{"pattern: a !b a", "aba", false},
	    {"ltl: [](b -> <*>a)", "b", true},	{"ltl: [](b -> <*>a)", "ab", false},
	    {"ltl: [](b -> <*>a)", "ba", true},
	};

	(void)state;
	for (size_t i = 0; i < fr_array_size(cases); i++) {
		struct fr_spec *s =
		    parse("event a mark(\"a\"); event b mark(\"b\");", cases[i].pattern);
		uint32_t word[8], n = 0;
		struct fr_auto *a;
		struct fr_err err;

		assert_int_equal(s->error.n, 0);
		assert_int_equal(fr_auto_new(s->property.v[0], &a, &err), 0);
		for (const char *p = cases[i].word; *p; p++)
			word[n++] = fr_auto_letter(a, (uint32_t)(*p - 'a'), FR_NO_NAME, 0);
		if (a->bad[run(&a->dfa, word, n)] != cases[i].bad)
			fail_msg("%s on %s", cases[i].pattern, cases[i].word);
		fr_auto_free(a);
		fr_spec_free(s);
	}
}

/* ---- formulas ---- */

struct judging {
	const struct fr_formula *f;
	const struct fr_dfa *dfa;
	const uint32_t *word;
	uint32_t n;
	uint32_t holds, counted;
	bool closure; /* compare with the second translation too */
};

/* The definition of each operator. */
static bool holds(const struct judging *x, const struct fr_formula *f, uint32_t i)
{
	const struct fr_formula *a = f->sub.n ? f->sub.v[0] : NULL;
	const struct fr_formula *b = f->sub.n > 1 ? f->sub.v[1] : NULL;
	uint32_t k = i;

	switch (f->op) {
	case FR_FM_EVENT:
		return x->word[i] == f->event;
	case FR_FM_TRUE:
		return true;
	case FR_FM_FALSE:
		return false;
	case FR_FM_NOT:
		return !holds(x, a, i);
	case FR_FM_AND:
		FR_VEC_FOREACH (s, &f->sub)
			if (!holds(x, *s, i))
				return false;
		return true;
	case FR_FM_OR:
		FR_VEC_FOREACH (s, &f->sub)
			if (holds(x, *s, i))
				return true;
		return false;
	case FR_FM_IMPLIES:
		return !holds(x, a, i) || holds(x, b, i);
	case FR_FM_ALWAYS:
		while (k < x->n && holds(x, a, k))
			k++;
		return k == x->n;
	case FR_FM_EVENTUALLY:
		while (k < x->n && !holds(x, a, k))
			k++;
		return k < x->n;
	case FR_FM_NEXT:
		return i + 1 < x->n && holds(x, a, i + 1);
	case FR_FM_UNTIL:
	case FR_FM_WEAK:
		while (k < x->n && !holds(x, b, k) && holds(x, a, k))
			k++;
		return k < x->n ? holds(x, b, k) : f->op == FR_FM_WEAK;
	case FR_FM_SO_FAR:
		for (k = 0; k <= i; k++)
			if (!holds(x, a, k))
				return false;
		return true;
	case FR_FM_ONCE:
		for (k = 0; k <= i; k++)
			if (holds(x, a, k))
				return true;
		return false;
	case FR_FM_BEFORE:
		return i && holds(x, a, i - 1);
	default: /* since */
		for (k = i + 1; k-- > 0;) {
			if (holds(x, b, k))
				return true;
			if (!holds(x, a, k))
				return false;
		}
		return false;
	}
}

/* ---- the second translation ---- */

struct closure {
	const struct fr_formula *temporal[16];
	uint32_t n;
};

static void collect(struct closure *c, const struct fr_formula *f)
{
	FR_VEC_FOREACH (s, &f->sub)
		collect(c, *s);
	if (f->op >= FR_FM_ALWAYS) {
		assert_in_range(c->n, 0, 15);
		c->temporal[c->n++] = f;
	}
}

/* The value of a formula under a guess of the temporal ones, bit i for temporal[i]. */
static bool under(const struct closure *c, const struct fr_formula *f, uint32_t guess,
		  uint32_t event)
{
	bool a = f->sub.n && f->op < FR_FM_ALWAYS && under(c, f->sub.v[0], guess, event);

	switch (f->op) {
	case FR_FM_EVENT:
		return f->event == event;
	case FR_FM_TRUE:
		return true;
	case FR_FM_FALSE:
		return false;
	case FR_FM_NOT:
		return !a;
	case FR_FM_AND:
		for (size_t i = 1; i < f->sub.n; i++)
			a &= under(c, f->sub.v[i], guess, event);
		return a;
	case FR_FM_OR:
		for (size_t i = 1; i < f->sub.n; i++)
			a |= under(c, f->sub.v[i], guess, event);
		return a;
	case FR_FM_IMPLIES:
		return !a || under(c, f->sub.v[1], guess, event);
	default:
		for (uint32_t i = 0;; i++)
			if (c->temporal[i] == f)
				return guess >> i & 1;
	}
}

/* Can a guess at one event be followed by a guess at the next? has_last, has_next: the events
   exist. */
static bool agree(const struct closure *c, bool has_last, uint32_t last, uint32_t last_event,
		  bool has_next, uint32_t next, uint32_t next_event)
{
	for (uint32_t i = 0; i < c->n; i++) {
		const struct fr_formula *f = c->temporal[i];
		bool future = f->op <= FR_FM_WEAK, here, there, a = false, b = false, want;
		uint32_t guess = future ? last : next, event = future ? last_event : next_event;

		if (future ? !has_last : !has_next)
			continue; /* says nothing about the event that exists */
		here = guess >> i & 1;
		there = future ? has_next && next >> i & 1 : has_last && last >> i & 1;
		a = under(c, f->sub.v[0], guess, event);
		if (f->sub.n > 1)
			b = under(c, f->sub.v[1], guess, event);
		switch (f->op) {
		case FR_FM_ALWAYS:
			want = a && (!has_next || there);
			break;
		case FR_FM_SO_FAR:
			want = a && (!has_last || there);
			break;
		case FR_FM_EVENTUALLY:
		case FR_FM_ONCE:
			want = a || there;
			break;
		case FR_FM_NEXT:
			want = has_next && under(c, f->sub.v[0], next, next_event);
			break;
		case FR_FM_BEFORE:
			want = has_last && under(c, f->sub.v[0], last, last_event);
			break;
		case FR_FM_WEAK:
			want = b || (a && (!has_next || there));
			break;
		default: /* U, S */
			want = b || (a && there);
		}
		if (here != want)
			return false;
	}
	return true;
}

static bool by_closure(const struct judging *x)
{
	struct closure c = {0};
	uint64_t now[16] = {0}, after[16];
	uint32_t guesses;

	collect(&c, x->f);
	guesses = 1u << c.n;
	assert_in_range(guesses, 1, 1024);
	for (uint32_t g = 0; g < guesses; g++)
		if (under(&c, x->f, g, x->word[0]) && agree(&c, false, 0, 0, true, g, x->word[0]))
			now[g / 64] |= UINT64_C(1) << g % 64;
	for (uint32_t i = 1; i < x->n; i++) {
		memset(after, 0, sizeof(after));
		for (uint32_t g = 0; g < guesses; g++)
			for (uint32_t h = 0; now[g / 64] >> g % 64 & 1 && h < guesses; h++)
				if (agree(&c, true, g, x->word[i - 1], true, h, x->word[i]))
					after[h / 64] |= UINT64_C(1) << h % 64;
		memcpy(now, after, sizeof(now));
	}
	for (uint32_t g = 0; g < guesses; g++)
		if (now[g / 64] >> g % 64 & 1 && agree(&c, true, g, x->word[x->n - 1], false, 0, 0))
			return true;
	return false;
}

static void check_formula(void *arg, const uint32_t *word, uint32_t n)
{
	struct judging *x = arg;
	bool want, got = x->dfa->accept[run(x->dfa, word, n)];

	if (!n)
		return;
	x->word = word;
	x->n = n;
	want = holds(x, x->f, 0);
	if (want != got)
		fail_msg("a word of %u events: %d by the definition, %d by the automaton", n, want,
			 got);
	if (x->closure && by_closure(x) != want)
		fail_msg("a word of %u events: %d by the definition, not by the closure", n, want);
	x->counted++;
	x->holds += want;
}

static void random_ltl(struct fr_buf *b, unsigned depth)
{
	static const char *const pre[] = {"!", "[]", "<>", "X ", "[*]", "<*>", "Y "};
	static const char *const op[] = {"&&", "||", "->", "U", "W", "S"};

	if (!depth || !pick(6)) {
		fr_buf_puts(b, pick(6) ? (pick(2) ? "a" : "b") : pick(2) ? "true" : "false");
	} else if (pick(2)) {
		fr_buf_puts(b, pre[pick(7)]);
		random_ltl(b, depth - 1);
	} else {
		fr_buf_puts(b, "(");
		random_ltl(b, depth - 1);
		fr_buf_printf(b, " %s ", op[pick(6)]);
		random_ltl(b, depth - 1);
		fr_buf_puts(b, ")");
	}
}

static uint32_t temporal(const struct fr_formula *f)
{
	uint32_t n = f->op >= FR_FM_ALWAYS;

	FR_VEC_FOREACH (s, &f->sub)
		n += temporal(*s);
	return n;
}

static void test_formulas(void **state)
{
	uint64_t held = 0, counted = 0;
	unsigned good = 0, twice = 0;

	(void)state;
	random_state = 5;
	for (unsigned i = 0; i < 3000; i++) {
		FR_CLEANUP(fr_buf_free) struct fr_buf b = {0};
		FR_CLEANUP(fr_spec_freep) struct fr_spec *s = NULL;
		struct judging x = {0};
		struct fr_dfa d;
		struct fr_err err;

		fr_buf_puts(&b, "ltl: ");
		random_ltl(&b, 4);
		s = parse("event a mark(\"a\"); event b mark(\"b\"); event c mark(\"c\");", b.s);
		if (!s->property.n || !s->property.v[0]->body)
			continue;
		x.f = s->property.v[0]->body;
		if (fr_auto_ltl(x.f, 3, &d, &err) < 0)
			continue;
		x.dfa = &d;
		x.closure = temporal(x.f) <= 4;
		all_words(3, 5, &x, check_formula);
		held += x.holds;
		counted += x.counted;
		twice += x.closure;
		good++;
		fr_dfa_free(&d);
	}
	assert_in_range(good, 2000, 3000);
	assert_in_range(twice, 1000, 3000);
	assert_in_range(held, 10000, counted - 10000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_examples),
	    cmocka_unit_test(test_patterns),
	    cmocka_unit_test(test_formulas),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
