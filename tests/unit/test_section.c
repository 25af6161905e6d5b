/* Sections of two threads (confirm/serial_section.h): the sections around the events of a
   finding. */
#include "fixture.h"
#include "confirm/serial_section.h"
#include "script.h"
#include "trace/trace.h"
#include <stdlib.h>

#define LINES 64

/* Makes a model whose sites are lines of one function, if `lines`; otherwise they are unknown. */
static struct fr_model *model(const char *text, bool lines)
{
	struct fr_model *m = fr_script(text);

	m->trace = fr_xcalloc(1, sizeof(*m->trace));
	m->trace->sites = fx_sites(lines ? LINES : 1);
	return m;
}

/* Returns the section of one event: the nth with this site. */
static struct fr_serial_section around(const struct fr_model *m, uint32_t site, uint32_t nth)
{
	fr_ev e = fr_script_ev(m, site, nth);
	uint32_t thread = m->ev[e].thread, at = 0;

	while (m->thread[thread].ev[at] != e)
		at++;
	return (struct fr_serial_section){thread, at, at + 1};
}

static uint32_t site_at(const struct fr_model *m, const struct fr_serial_section *s, uint32_t at)
{
	return m->ev[m->thread[s->thread].ev[at]].site;
}

/* Widens the events with sites a and b. want: the sites of the first and the last event of both
   sections. */
static void expect(const char *text, bool lines, uint32_t a, uint32_t b, const uint32_t want[4])
{
	struct fr_model *m = model(text, lines);
	struct fr_serial_section s[2];
	struct fr_contexts x;

	s[0] = around(m, a, 0);
	s[1] = around(m, b, 0);
	fr_contexts_init(&x, m);
	assert_true(fr_sections_close(&x, s));
	for (unsigned i = 0; i < 2; i++) {
		uint32_t first = site_at(m, &s[i], s[i].first),
			 end = site_at(m, &s[i], s[i].end - 1);

		if (first != want[2 * i] || end != want[2 * i + 1])
			fail_msg("section %u is [%u, %u] instead of [%u, %u] in:\n%s", i, first,
				 end, want[2 * i], want[2 * i + 1], text);
	}
	fr_contexts_free(&x);
	fr_model_free(m);
}
#define EXPECT(text, a, b, ...) expect(text, true, a, b, (const uint32_t[4]){__VA_ARGS__})

static void widens(void **state)
{
	(void)state;
	EXPECT("0 w x @10; 1 w x @20", 10, 20, 10, 10, 20, 20);
	/* No lock is held at the ends. */
	EXPECT("0 acq l @5; 0 w x @10; 0 rel l @12; 1 w x @20", 10, 20, 5, 12, 20, 20);
	EXPECT("0 acq l @5; 0 acq k @6; 0 rel k @7; 0 w x @10; 0 rel l @12; 1 w x @20", 10, 20, 5,
	       12, 20, 20);
	/* Accesses that conflict with the other section, the second below the first in the text. */
	EXPECT("0 r x @10; 0 w x @12; 1 w x @20", 12, 20, 10, 12, 20, 20);
	EXPECT("0 w x @10; 0 w y @11; 0 w x @12; 1 w x @20", 12, 20, 10, 12, 20, 20);
	/* A section that grew conflicts with more of the other thread. */
	EXPECT("0 acq l @7; 0 w y @8; 0 w x @10; 0 rel l @12; 1 r y @20; 1 w x @22", 10, 22, 7, 12,
	       20, 22);
	EXPECT("0 r y @8; 0 w x @10; 1 acq l @19; 1 w y @20; 1 w x @22; 1 rel l @24", 10, 22, 8, 10,
	       19, 24);
}

static void stays(void **state)
{
	(void)state;
	/* Above in the text: the next iteration of a loop. */
	EXPECT("0 r x @12; 0 w x @10; 1 w x @20", 10, 20, 10, 10, 20, 20);
	/* An operation that waits for another thread, or wakes one. */
	EXPECT("0 r x @10; 0 post s @11; 0 w x @12; 1 w x @20", 12, 20, 12, 12, 20, 20);
	/* No conflict: other memory, other bytes, only reads. */
	EXPECT("0 r y @10; 0 w x @12; 1 w x @20", 12, 20, 12, 12, 20, 20);
	EXPECT("0 r x /0x0f @10; 0 w x /0xf0 @12; 1 w x /0xf0 @20", 12, 20, 12, 12, 20, 20);
	EXPECT("0 r x @10; 0 r x @12; 1 r x @20", 12, 20, 12, 12, 20, 20);
}

/* A loop is not recognised without lines: both accesses are one unit. */
static void unknown_lines(void **state)
{
	(void)state;
	expect("0 w x @12; 0 w x @10; 1 w x @20", false, 10, 20,
	       (const uint32_t[4]){12, 10, 20, 20});
}

/* Two iterations of a loop do not become one section. */
static void loops(void **state)
{
	struct fr_model *m = model("0 r x @10; 0 w x @12; 0 r x @10; 0 w x @12; 1 w x @20", true);
	struct fr_serial_section s[2] = {around(m, 12, 1), around(m, 20, 0)};
	struct fr_contexts x;

	(void)state;
	fr_contexts_init(&x, m);
	assert_true(fr_sections_close(&x, s));
	assert_int_equal(s[0].first, 2);
	assert_int_equal(s[0].end, 4);
	fr_contexts_free(&x);
	fr_model_free(m);
}

static void too_long(void **state)
{
	struct fr_buf text = {0};
	struct fr_serial_section s[2];
	struct fr_contexts x;
	struct fr_model *m;

	(void)state;
	fr_buf_puts(&text, "0 acq l @5; 0 w x @10;");
	for (unsigned i = 0; i < 20000; i++)
		fr_buf_puts(&text, "0 w y @11;");
	fr_buf_puts(&text, "0 rel l @12; 1 w x @20");
	m = model(text.s, true);
	s[0] = around(m, 10, 0);
	s[1] = around(m, 20, 0);
	fr_contexts_init(&x, m);
	assert_false(fr_sections_close(&x, s));
	fr_contexts_free(&x);
	fr_model_free(m);
	fr_buf_free(&text);
}

/* A third thread is disturbed only in the middle of work on the memory of a section. */
static void disturbs(void **state)
{
	struct fr_model *m = model("0 w x @10; 1 w x @20; 2 r x @30; 2 w y @31; 2 w x @32;"
				   "2 r y @33; 2 w y @34",
				   true);
	struct fr_serial_section s[2] = {around(m, 10, 0), around(m, 20, 0)};
	static const bool want[] = {false, true, true, false, false};
	struct fr_contexts x;

	(void)state;
	fr_contexts_init(&x, m);
	for (uint32_t i = 0; i < fr_array_size(want); i++)
		assert_int_equal(fr_sections_disturb(&x, s, 2, i), want[i]);
	fr_contexts_free(&x);
	fr_model_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(widens), cmocka_unit_test(stays),	  cmocka_unit_test(unknown_lines),
	    cmocka_unit_test(loops),  cmocka_unit_test(too_long), cmocka_unit_test(disturbs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
