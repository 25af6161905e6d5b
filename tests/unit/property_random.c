/* Random properties: see property_random.h. */
#include "property_random.h"
#include "fixture.h"
#include "spec/spec_auto.h"

static uint64_t random_state;

void property_seed(uint64_t seed)
{
	random_state = seed;
}

unsigned property_pick(unsigned n)
{
	return (unsigned)(fx_random(&random_state) % n);
}

static void random_pattern(struct fr_buf *b, unsigned depth)
{
	static const char *const atom[] = {"r", "w", "l", "r(t1)", "w(t1)", "w(t2)", "r(t2)"};
	static const char *const post[] = {"", "", "", "*", "+", "?"};

	if (!depth || !property_pick(3)) {
		fr_buf_printf(b, "%s%s", atom[property_pick(fr_array_size(atom))],
			      post[property_pick(6)]);
	} else if (!property_pick(6)) {
		fr_buf_puts(b, "!(");
		random_pattern(b, depth - 1);
		fr_buf_puts(b, ")");
	} else {
		fr_buf_puts(b, "(");
		random_pattern(b, depth - 1);
		fr_buf_puts(b, property_pick(4) ? " " : property_pick(2) ? " | " : " && ");
		random_pattern(b, depth - 1);
		fr_buf_puts(b, ")");
	}
}

static void random_formula(struct fr_buf *b, unsigned depth)
{
	static const char *const atom[] = {"r", "w", "l"};
	static const char *const prefix[] = {"[]", "<>", "!", "X ", "[*]", "<*>", "Y "};
	static const char *const infix[] = {" && ", " || ", " -> ", " U ", " W ", " S "};

	if (!depth || !property_pick(4)) {
		fr_buf_puts(b, atom[property_pick(3)]);
		return;
	}
	fr_buf_puts(b, "(");
	if (property_pick(2)) {
		fr_buf_puts(b, prefix[property_pick(fr_array_size(prefix))]);
		random_formula(b, depth - 1);
	} else {
		random_formula(b, depth - 1);
		fr_buf_puts(b, infix[property_pick(fr_array_size(infix))]);
		random_formula(b, depth - 1);
	}
	fr_buf_puts(b, ")");
}

struct fr_spec *property_random(bool formula)
{
	for (;;) {
		FR_CLEANUP(fr_buf_free) struct fr_buf b = {0};
		struct fr_auto *a;
		struct fr_spec *s;
		struct fr_err err;

		fr_buf_printf(&b,
			      "property P(int *o) { event r get(*) && target(o); event w set(*) && "
			      "target(o); event l lock; %s: ",
			      formula ? "ltl" : "pattern");
		if (formula)
			random_formula(&b, 3);
		else
			random_pattern(&b, 3);
		fr_buf_puts(&b, " }");
		s = fr_spec_parse("random", b.s, b.n);
		if (!s->error.n && fr_auto_new(s->property.v[0], &a, &err) == 0) {
			fr_auto_free(a);
			return s;
		}
		fr_spec_free(s);
	}
}
