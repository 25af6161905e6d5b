/* Findings and schedule files: files read back as they were written; damaged files are refused. */
#include "fixture.h"
#include "base/crc32c.h"
#include "generate/generate.h"
#include "findings/finding.h"
#include "findings/schedule_file.h"
#include "report/text.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct fr_finding_event event(struct fr_findings *f, uint32_t thread, enum fr_role role)
{
	struct fr_finding_event e = {
	    .thread = thread,
	    .path = fr_findings_printf(f, "0.%u", thread),
	    .role = role,
	    .access = thread == 1 ? FR_OP_WRITE : FR_OP_READ,
	    .name = "queue.head",
	    .object = thread == 1 ? 7 : 0,
	    .known = thread == 1,
	    .value = thread == 1 ? UINT64_MAX : 0,
	    .at = {"src/a \"long\" folder/queue.c", "push", 30 + thread, 9},
	    .hook = 77};

	if (!role)
		return e;
	fr_vec_push(&e.stack, e.at);
	fr_vec_push(&e.stack, ((struct fr_position){"main.c", "worker", 12, 0}));
	if (thread == 1)
		fr_vec_push(&e.lock, ((struct fr_finding_lock){
					 "queue.lock", 3, true, {"q.c", "push", 28, 2}}));
	return e;
}

static struct fr_interleaving interleaving(struct fr_findings *f)
{
	struct fr_interleaving w = {.verdict = FR_VERDICT_PREDICTED,
				    .harm = FR_HARM_NOT_KNOWN,
				    .schedule = "1/schedule",
				    .left_out = 9};

	fr_vec_push(&w.event, event(f, 1, FR_ROLE_FIRST));
	fr_vec_push(&w.event, event(f, 2, FR_ROLE_SECOND));
	fr_vec_push(&w.witness, event(f, 1, FR_ROLE_NONE));
	fr_vec_push(&w.witness, event(f, 2, FR_ROLE_NONE));
	return w;
}

static void make(struct fr_findings *f)
{
	static const char *const kind[] = {"data-race", "deadlock", "data-race"};

	*f = (struct fr_findings){.version = "0.1.0",
				  .program = "./\xffprog",
				  .exit = -1,
				  .signal = 11,
				  .threads = 3,
				  .events = 1204,
				  .record_s = 0.5};
	fr_vec_push(&f->args, "100");
	f->summary = (struct fr_summary){.candidates = 4, .predicted = 3, .undecided = 1};
	f->summary.reason = "interrupted";
	fr_count_add(f, &f->summary.why, "TIME", "the time limit for one candidate was reached", 1);
	fr_count_add(f, &f->summary.missing, "wakes_unseen", "waits without a signal", 12345);
	for (int i = 0; i < 3; i++) {
		struct fr_finding x = {.kind = kind[i],
				       .rank = !strcmp(kind[i], "data-race"),
				       .tier = FR_TIER_SYNC,
				       .subject = fr_findings_printf(f, "v%d", 3 - i),
				       .allocated = {.file = "", .function = ""},
				       .seen = 5};

		fr_vec_push(&x.interleaving, interleaving(f));
		if (i == 2) {
			x.allocated = (struct fr_position){"heap.c", "make", 4, 1};
			fr_vec_push(&x.interleaving, interleaving(f));
		}
		fr_vec_push(&f->finding, x);
	}
	fr_findings_sort(f);
}

static void the_worst_finding_comes_first(void **state)
{
	struct fr_findings f;

	(void)state;
	make(&f);
	assert_string_equal(f.finding.v[0].kind, "deadlock");
	assert_string_equal(f.finding.v[1].subject, "v1");
	assert_string_equal(f.finding.v[2].subject, "v3");
	for (uint32_t i = 0; i < 3; i++)
		assert_int_equal(f.finding.v[i].id, i + 1);
	fr_findings_free(&f);
}

static void findings_read_back(void **state)
{
	char *dir = fx_folder();
	struct fr_findings f, g;
	struct fr_buf a = {0}, b = {0};
	struct fr_dir_new new;

	(void)state;
	make(&f);
	f.finding.v[0].explained_by = 2; /* it needs no harm */
	assert_int_equal(fr_findings_read(dir, &g, NULL), -ENOENT);
	assert_int_equal(fr_findings_write(dir, &f, &new, NULL), 0);
	assert_int_equal(fr_findings_publish(dir, &new, NULL), 0);
	assert_int_equal(fr_findings_read(dir, &g, NULL), 0);
	assert_int_equal(fr_findings_json(&f, true, -1, &a), 0);
	assert_int_equal(fr_findings_json(&g, true, -1, &b), 0);
	assert_string_equal(a.s, b.s);
	assert_int_equal(g.exit, -1);
	assert_false(g.finding.v[0].needs);
	assert_int_equal(g.finding.v[0].explained_by, 2);
	assert_true(fr_finding_folded(&g.finding.v[0]));
	assert_int_equal(g.finding.v[1].interleaving.n, 2);
	assert_int_equal(g.finding.v[0].interleaving.v[0].event.v[0].value, UINT64_MAX);
	assert_false(g.finding.v[0].interleaving.v[0].event.v[1].known);
	fr_buf_free(&a);
	fr_buf_free(&b);
	fr_findings_free(&f);
	fr_findings_free(&g);
	fx_remove(dir);
}

/* Changes one byte of findings.json, behind a text in it, and reads it. */
static int read_changed(const char *dir, const struct fr_findings *f, const char *behind,
			struct fr_err *reterr)
{
	char *path = fx_path(dir, "findings.json"), *text, *at;
	struct fr_findings g = {0};
	struct fr_dir_new new;
	size_t n;
	int r;

	assert_int_equal(fr_findings_write(dir, f, &new, NULL), 0);
	assert_int_equal(fr_findings_publish(dir, &new, NULL), 0);
	text = fx_read(path, &n);
	at = strstr(text, behind);
	assert_non_null(at);
	at[strlen(behind)] = '_';
	fx_write(path, text, n);
	r = fr_findings_read(dir, &g, reterr);
	fr_findings_free(&g);
	free(text);
	free(path);
	return r;
}

/* A quote and the word, without the word's last letter. */
static void without_last_letter(char *to, size_t n, const char *word)
{
	snprintf(to, n, "\"%s", word);
	to[strlen(to) - 1] = 0;
}

/* A member that the reader needs is missing, or has an unknown name as its value: an error that
   names it. Old files lack some members. */
static void a_missing_member_is_an_error(void **state)
{
	static const char *const needed[] = {"kind",  "events", "line",	   "summary", "run",
					     "locks", "value",	"harm",	   "tier",    "role",
					     "hook",  "access", "verdict", "exit",    "allocated"};
	static const char *const name[] = {"role", "access", "verdict", "tier"};
	static const char *const new[] = {"named",  "confirm_runs", "control",	  "object",
					  "detail", "swapped",	    "region",	  "shape",
					  "end",    "where",	    "where_named"};
	char *dir = fx_folder(), behind[32];
	struct fr_findings f;
	struct fr_err err;

	(void)state;
	make(&f);
	for (size_t i = 0; i < fr_array_size(needed); i++) {
		without_last_letter(behind, sizeof(behind), needed[i]);
		assert_int_equal(read_changed(dir, &f, behind, &err), -EBADMSG);
		assert_non_null(strstr(err.msg, "findings.json"));
		assert_non_null(strstr(err.msg, needed[i]));
	}
	for (size_t i = 0; i < fr_array_size(name); i++) {
		snprintf(behind, sizeof(behind), "\"%s\": \"", name[i]);
		assert_int_equal(read_changed(dir, &f, behind, &err), -EBADMSG);
		assert_non_null(strstr(err.msg, name[i]));
	}
	for (size_t i = 0; i < fr_array_size(new); i++) {
		without_last_letter(behind, sizeof(behind), new[i]);
		assert_int_equal(read_changed(dir, &f, behind, &err), 0);
	}
	fr_findings_free(&f);
	fx_remove(dir);
}

static void the_text_shows_everything(void **state)
{
	struct fr_findings f;
	struct fr_buf b = {0};
	struct fr_text t = {.out = &b, .dir = "forerun.d/x.1", .all = true};
	const char *line;

	(void)state;
	make(&f);
	f.finding.v[0].interleaving.v[0].witness.v[0].name =
	    "a_very_long_name_that_does_not_fit_into_a_column_of_the_witness_at_all_größe";
	FR_VEC_FOREACH (x, &f.finding)
		fr_text_finding(&t, x);
	fr_text_summary(&t, &f);
	line = b.s;
	for (const char *eol; (eol = strchr(line, '\n')); line = eol + 1)
		assert_true(fr_text_width(line, (size_t)(eol - line)) <= 80);
	assert_non_null(strstr(b.s, "1. deadlock on `v2` — predicted\n"));
	assert_non_null(strstr(b.s, "…"));
	assert_non_null(strstr(b.s, "in memory allocated at heap.c:4:1 in make()"));
	assert_non_null(strstr(b.s, "holds `queue.lock` shared since q.c:28:2 in push()"));
	assert_non_null(strstr(b.s, "interleaving 2"));
	assert_non_null(strstr(b.s, "not finished: interrupted"));
	assert_non_null(strstr(b.s, "waits without a signal: 12,345"));
	assert_null(strchr(b.s, '\033'));
	fr_buf_free(&b);
	fr_findings_free(&f);
}

/* Locks have numbers where names do not say which is which. */
static void ambiguous_locks_have_numbers(void **state)
{
	static const struct {
		const char *held[2], *waits[2];
		bool first, second;
	} all[] = {{{"a", "b"}, {"b", "a"}, false, false},
		   {{"from", "from"}, {"to", "to"}, true, true},
		   {{"x", "y"}, {"y", "z"}, true, false}};

	(void)state;
	for (size_t i = 0; i < fr_array_size(all); i++) {
		struct fr_buf b = {0};
		struct fr_text t = {.out = &b, .dir = "d"};
		struct fr_findings f;
		struct fr_interleaving *w;

		make(&f);
		w = &f.finding.v[0].interleaving.v[0];
		for (uint32_t k = 0; k < 2; k++) {
			struct fr_finding_event *e = &w->event.v[k];

			e->access = FR_OP_ACQUIRE;
			e->name = all[i].waits[k];
			e->object = 2 - k;
			e->lock.n = 0;
			fr_vec_push(&e->lock,
				    ((struct fr_finding_lock){
					all[i].held[k], 1 + k, false, {"q.c", "push", 28, 2}}));
		}
		fr_text_finding(&t, &f.finding.v[0]);
		assert_int_equal(!!strstr(b.s, "` (lock 1)"), all[i].first);
		assert_int_equal(!!strstr(b.s, "` (lock 2)"), all[i].second);
		fr_buf_free(&b);
		fr_findings_free(&f);
	}
}

static struct fr_interleaving between(struct fr_findings *f, enum fr_harm harm)
{
	struct fr_interleaving w = {
	    .verdict = FR_VERDICT_CONFIRMED, .harm = harm, .schedule = "1/schedule", .left_out = 9};
	static const enum fr_role role[] = {FR_ROLE_LOCAL_FIRST, FR_ROLE_REMOTE,
					    FR_ROLE_LOCAL_SECOND};

	for (unsigned i = 0; i < 3; i++) {
		fr_vec_push(&w.event, event(f, i == 1 ? 2 : 1, role[i]));
		w.event.v[i].at.line = 40 + i;
		w.event.v[i].access = i ? FR_OP_WRITE : FR_OP_READ;
		fr_vec_push(&w.witness, w.event.v[i]);
		memset(&w.witness.v[i].stack, 0, sizeof(w.witness.v[i].stack));
		memset(&w.witness.v[i].lock, 0, sizeof(w.witness.v[i].lock));
	}
	return w;
}

/*
 * Three events of two threads, in the order in which they happen; the folded ones, and the time of
 * folding.
 */
static void each_kind_shows_its_steps(void **state)
{
	struct fr_findings f = {0};
	struct fr_finding x = {.id = 1,
			       .kind = "atomicity-violation",
			       .tier = FR_TIER_SYNC,
			       .subject = "v",
			       .region = FR_REGION_NEAR,
			       .shape = FR_SHAPE_RWW,
			       .allocated = {.file = "", .function = ""}};
	struct fr_buf b = {0};
	struct fr_text t = {.out = &b, .dir = "d"};
	const char *first, *remote, *second;

	(void)state;
	fr_vec_push(&x.interleaving, between(&f, FR_HARM_ASSERT));
	fr_vec_push(&x.interleaving, between(&f, FR_HARM_NONE));
	fr_vec_push(&f.finding, x);
	fr_text_finding(&t, &f.finding.v[0]);
	assert_non_null(strstr(b.s, "1. atomicity violation on `v` — confirmed, the program then "
				    "fails an assertion\n"));
	assert_non_null(strstr(b.s, ": R-W-W\n"));
	assert_non_null(strstr(b.s, "queue.c:40:9 in push() reads;\n"));
	assert_non_null(strstr(b.s, "queue.c:42:9 in push() writes next;\n"));
	assert_non_null(strstr(b.s, "queue.c:41:9 in push() writes in between\n"));
	/* In two columns, in order. */
	first = strstr(b.s, "   * queue.c:40  read");
	remote = strstr(b.s, "          * queue.c:41  write");
	second = strstr(b.s, "   * queue.c:42  write");
	assert_true(first && remote && second && first < remote && remote < second);
	assert_non_null(strstr(b.s, "2 interleavings reach this bug"));
	assert_null(strstr(b.s, "interleaving 2"));
	b.n = 0;
	t.all = true;
	fr_text_finding(&t, &f.finding.v[0]);
	assert_non_null(strstr(b.s, "interleaving 2 — confirmed, no harm was seen"));
	/* Too wide for one line. */
	b.n = 0;
	f.finding.v[0].subject = "v.one";
	fr_text_finding(&t, &f.finding.v[0]);
	assert_non_null(strstr(b.s, "1. atomicity violation on `v.one` — confirmed,\n"
				    "   the program then fails an assertion\n"));
	f.finding.v[0].subject = "v";

	assert_false(fr_finding_folded(&f.finding.v[0]));
	f.finding.v[0].interleaving.v[0].harm = FR_HARM_NONE;
	assert_true(fr_finding_folded(&f.finding.v[0]));
	f.finding.v[0].region = FR_REGION_LOCK;
	assert_false(fr_finding_folded(&f.finding.v[0]));
	assert_false(fr_finding_left_out(&f.finding.v[0]));
	f.finding.v[0].explained_by = 2;
	assert_true(fr_finding_folded(&f.finding.v[0]));
	assert_true(fr_finding_left_out(&f.finding.v[0]));
	f.finding.v[0].explained_by = 0;
	f.finding.v[0].region = FR_REGION_NEAR;
	f.finding.v[0].interleaving.v[0].verdict = FR_VERDICT_PREDICTED;
	assert_false(fr_finding_folded(&f.finding.v[0]));
	fr_buf_free(&b);
	fr_findings_free(&f);
}

/* ---- schedule files ---- */

static void make_schedule(struct fr_schedule_file *s)
{
	*s = (struct fr_schedule_file){.kind = fr_xstrdup("data-race"),
				       .meeting = FR_MEETING_EITHER_ORDER};
	memcpy(s->run_id, "0123456789abcdef", 16);
	fr_vec_push(&s->module,
		    ((struct fr_schedule_module){fr_xstrdup("ab01"), fr_xstrdup("/a b")}));
	fr_vec_push(&s->module, ((struct fr_schedule_module){NULL, fr_xstrdup("/100%")}));
	assert_int_equal(fr_schedule_file_thread(s, "0"), 0);
	assert_int_equal(fr_schedule_file_thread(s, "worker 1"), 1);
	assert_int_equal(fr_schedule_file_thread(s, "0"), 0);
	fr_schedule_file_turn(s, 0, 3);
	fr_schedule_file_turn(s, 0, 7);
	fr_schedule_file_turn(s, 1, 2);
	fr_schedule_file_turn(s, 0, 7); /* nothing new */
	fr_schedule_file_turn(s, 1, 5);
	fr_schedule_file_turn(s, 0, 9);
	fr_vec_push(&s->expect, ((struct fr_schedule_hook){.thread = 1,
							   .hook = 4,
							   .kind = FR_EV_READ,
							   .site = 12,
							   .known = true,
							   .value = UINT64_MAX}));
	fr_vec_push(&s->expect, ((struct fr_schedule_hook){
				    .thread = 1, .hook = 5, .kind = FR_EV_MUTEX_LOCK, .site = 1}));
	fr_vec_push(
	    &s->target,
	    ((struct fr_schedule_hook){
		.thread = 0, .hook = 10, .kind = FR_EV_WRITE, .site = 3, .role = FR_ROLE_FIRST}));
}

static void same_turns(const struct fr_schedule_file *s, const struct fr_schedule_turn *want,
		       size_t n)
{
	assert_int_equal(s->turn.n, n);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(s->turn.v[i].thread, want[i].thread);
		assert_int_equal(s->turn.v[i].hook, want[i].hook);
	}
}

static void a_schedule_reads_back(void **state)
{
	static const struct fr_schedule_turn want[] = {{0, 7}, {1, 5}, {0, 9}};
	char *dir = fx_folder(), *path = fx_path(dir, "schedule");
	struct fr_schedule_file s, t;

	(void)state;
	make_schedule(&s);
	same_turns(&s, want, 3);
	assert_int_equal(fr_schedule_file_write(path, &s, NULL), 0);
	assert_int_equal(fr_schedule_file_read(path, &t, NULL), 0);
	assert_memory_equal(t.run_id, s.run_id, 16);
	assert_string_equal(t.kind, "data-race");
	assert_string_equal(t.module.v[0].path, "/a b");
	assert_string_equal(t.module.v[0].build_id, "ab01");
	assert_string_equal(t.module.v[1].path, "/100%");
	assert_null(t.module.v[1].build_id);
	assert_string_equal(t.thread.v[1], "worker 1");
	same_turns(&t, want, 3);
	assert_int_equal(t.expect.n, 2);
	assert_int_equal(t.expect.v[0].value, UINT64_MAX);
	assert_true(t.expect.v[0].known);
	assert_false(t.expect.v[1].known);
	assert_int_equal(t.expect.v[1].kind, FR_EV_MUTEX_LOCK);
	assert_int_equal(t.target.v[0].role, FR_ROLE_FIRST);
	assert_int_equal(t.meeting, FR_MEETING_EITHER_ORDER);
	assert_int_equal(t.target.v[0].hook, 10);
	fr_schedule_file_clear(&s);
	fr_schedule_file_clear(&t);
	free(path);
	fx_remove(dir);
}

static void a_schedule_may_refer_to_a_prefix(void **state)
{
	static const struct fr_schedule_turn want[] = {{0, 7}, {1, 5}, {0, 8}, {1, 6}};
	char *dir = fx_folder(), *path = fx_path(dir, "schedule"),
	     *own = fx_path(dir, "1/schedule"), *sub = fx_path(dir, "1");
	struct fr_schedule_file s, t;
	struct fr_err err;

	(void)state;
	make_schedule(&s);
	assert_int_equal(fr_schedule_file_write(path, &s, NULL), 0);
	assert_int_equal(mkdir(sub, 0777), 0);
	s.prefix = 2;
	s.turn.n = 0;
	s.last.v[0] = 7;
	s.last.v[1] = 5;
	fr_schedule_file_turn(&s, 0, 8);
	fr_schedule_file_turn(&s, 1, 6);
	assert_int_equal(fr_schedule_file_write(own, &s, NULL), 0);
	assert_int_equal(fr_schedule_file_read(own, &t, NULL), 0);
	same_turns(&t, want, 4);
	fr_schedule_file_clear(&t);
	s.prefix = 4; /* more than there are */
	assert_int_equal(fr_schedule_file_write(own, &s, NULL), 0);
	assert_int_equal(fr_schedule_file_read(own, &t, &err), -EBADMSG);
	s.prefix = 3; /* goes back behind the prefix */
	assert_int_equal(fr_schedule_file_write(own, &s, NULL), 0);
	assert_int_equal(fr_schedule_file_read(own, &t, &err), -EBADMSG);
	s.prefix = 2;
	s.run_id[3] ^= 1; /* of another run */
	assert_int_equal(fr_schedule_file_write(own, &s, NULL), 0);
	assert_int_equal(fr_schedule_file_read(own, &t, &err), -EBADMSG);
	unlink(own);
	rmdir(sub);
	fr_schedule_file_clear(&s);
	free(path);
	free(own);
	free(sub);
	fx_remove(dir);
}

/* Writes the lines with a right checksum, and reads the file. */
static int read_lines(const char *path, const char *version, const char *kind, const char *meeting,
		      struct fr_schedule_file *ret, struct fr_err *reterr)
{
	struct fr_buf b = {0};

	fr_buf_printf(&b,
		      "forerun-schedule %s\nrun 00112233445566778899aabbccddeeff\nkind %s\n%s"
		      "turn 0 3\ntarget 0 4 read 1 first 0\n",
		      version, kind, meeting);
	fr_buf_printf(&b, "end %08x\n", (unsigned)fr_crc32c(0, b.s, b.n));
	fx_write(path, b.s, b.n);
	fr_buf_free(&b);
	return fr_schedule_file_read(path, ret, reterr);
}

/* How the targets meet: the line says so. */
static void the_meeting_of_the_targets_reads_back(void **state)
{
	static const struct {
		const char *version, *kind, *line, *error;
		enum fr_meeting meeting;
	} all[] = {
	    {"3", "any", "meeting either-order\n", NULL, FR_MEETING_EITHER_ORDER},
	    {"3", "any", "meeting in-order\n", NULL, FR_MEETING_IN_ORDER},
	    {"3", "data-race", "meeting regions\n", NULL, FR_MEETING_REGIONS},
	    {"3", "any", "meeting cycle\n", NULL, FR_MEETING_CYCLE},
	    {"3", "data-race", "", "the meeting is missing", 0},
	    {"3", "any", "meeting at-dawn\n", "line 4: an unknown meeting", 0},
	    {"3", "any", "meeting cycle\nmeeting cycle\n", "line 5: ", 0},
	    {"3", "recorded", "meeting none\n", "a target of the recorded run", 0},
	    {"2", "data-race", "", "version 2; this forerun reads versions 3 to 6", 0},
	    {"4", "data-race", "meeting cycle\nleaves 0 3\n", NULL, FR_MEETING_CYCLE},
	    {"4", "data-race", "meeting cycle\nleaves 0 3\nleaves 0 4\n", "twice", 0},
	    {"5", "any", "meeting in-order\nneeds null\n", NULL, FR_MEETING_IN_ORDER},
	    {"5", "any", "meeting in-order\nneeds failure\n", NULL, FR_MEETING_IN_ORDER},
	    {"5", "any", "meeting in-order\nneeds luck\n", "an unknown need", 0},
	    {"7", "data-race", "meeting cycle\n", "version 7; ", 0},
	};
	char *dir = fx_folder(), *path = fx_path(dir, "schedule");

	(void)state;
	for (size_t i = 0; i < fr_array_size(all); i++) {
		struct fr_schedule_file s = {0};
		struct fr_err err = {0};
		int r = read_lines(path, all[i].version, all[i].kind, all[i].line, &s, &err);

		assert_int_equal(r < 0, all[i].error != NULL);
		if (r < 0)
			assert_non_null(strstr(err.msg, all[i].error));
		else
			assert_int_equal(s.meeting, all[i].meeting);
		assert_int_equal(s.needs == FR_NEEDS_NULL, !r && strstr(all[i].line, "null"));
		assert_int_equal(s.needs == FR_NEEDS_FAILURE, !r && strstr(all[i].line, "failure"));
		fr_schedule_file_clear(&s);
	}
	free(path);
	fx_remove(dir);
}

/* Any bit that flips is noticed, and so is any cut. */
static void damage_of_a_schedule_is_noticed(void **state)
{
	char *dir = fx_folder(), *path = fx_path(dir, "schedule"), *text;
	struct fr_schedule_file s, t;
	struct fr_err err;
	size_t n;

	(void)state;
	make_schedule(&s);
	assert_int_equal(fr_schedule_file_write(path, &s, NULL), 0);
	text = fx_read(path, &n);
	for (size_t i = 0; i < n; i++) {
		text[i] ^= 1 << i % 7;
		fx_write(path, text, n);
		assert_true(fr_schedule_file_read(path, &t, &err) < 0);
		text[i] ^= 1 << i % 7;
		fx_write(path, text, i);
		assert_true(fr_schedule_file_read(path, &t, &err) < 0);
	}
	fx_write(path, text, n);
	assert_int_equal(fr_schedule_file_read(path, &t, &err), 0);
	fr_schedule_file_clear(&t);
	free(text);
	fr_schedule_file_clear(&s);
	free(path);
	fx_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_worst_finding_comes_first),
	    cmocka_unit_test(findings_read_back),
	    cmocka_unit_test(a_missing_member_is_an_error),
	    cmocka_unit_test(the_text_shows_everything),
	    cmocka_unit_test(ambiguous_locks_have_numbers),
	    cmocka_unit_test(each_kind_shows_its_steps),
	    cmocka_unit_test(a_schedule_reads_back),
	    cmocka_unit_test(a_schedule_may_refer_to_a_prefix),
	    cmocka_unit_test(the_meeting_of_the_targets_reads_back),
	    cmocka_unit_test(damage_of_a_schedule_is_noticed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
