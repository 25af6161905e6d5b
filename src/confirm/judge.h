/*
 * What a run under control proves, and what harm it did, by comparison with the recorded run and
 * with controls (baseline.h).
 */
#ifndef FR_CONFIRM_JUDGE_H
#define FR_CONFIRM_JUDGE_H

#include "base/io.h"
#include "confirm/baseline.h"
#include "confirm/execution.h"
#include "findings/verdict.h"
#include "symbols/sites.h"

struct fr_judge {
	const char *dir; /* the run folder: has what the recorded run wrote */
	const struct fr_run *run;
	const struct fr_sites *sites;
	struct fr_pcsites *pcs;
	struct fr_baseline base;
	/* Why a run may not be repeated exactly, however it is tried: counted when it was read. */
	uint64_t handlers;    /* of signals from elsewhere */
	uint64_t unexplained; /* reads of the recorded run whose order is not known */
};
void fr_judge_init(struct fr_judge *j, const char *dir, const struct fr_run *run,
		   const struct fr_sites *sites);
void fr_judge_free(struct fr_judge *j);

struct fr_judgement {
	enum fr_verdict verdict;
	enum fr_harm harm; /* if confirmed; if refuted, what it came to on its way */
	bool outside;	   /* it is not known because the world outside was another one */
	char *detail;	   /* a new string, or NULL */
	size_t end;	   /* bytes of detail that say how the program ended before its targets
		       met; 0: they met, or it did not end */
};

/* limit: in seconds, that the run had. */
void fr_judge(struct fr_judge *j, const struct fr_replayed *r, double limit,
	      struct fr_judgement *ret);

/* ---- parts ---- */

/* What was written to a file, mapped; nothing if there is none. */
struct fr_mapped fr_judge_text(int fd);

/* Whether the targets met: each happened, or waits, in the order that was asked for. */
bool fr_judge_met(const struct fr_replayed *r);
/* Whether each thread was at the brink of its target, all at once. */
bool fr_judge_at_brink(const struct fr_replayed *r);
/* Sentences, without a full stop (say.c). */
void fr_say_divergence(const struct fr_judge *j, const struct fr_replayed *r, struct fr_buf *out);
/* ": thread 0.1 was to come to thread-create at bank.c:31 in main()", or nothing if all turns are
   over. */
void fr_say_due(const struct fr_judge *j, const struct fr_replayed *r, struct fr_buf *out);
/* Was the world outside of the program another one than that of the recorded run? */
bool fr_judge_outside(const struct fr_replayed *r);
/* What of it, and where for the first time. */
void fr_say_world(const struct fr_judge *j, const struct fr_replayed *r, struct fr_buf *out);
/* "; " and that, or what else the program got from outside that was not as recorded; or nothing. */
void fr_say_outside(const struct fr_judge *j, const struct fr_replayed *r, struct fr_buf *out);
/* What the targets did, and how far each thread came: whole lines. */
void fr_say_seen(const struct fr_judge *j, const struct fr_replayed *r, struct fr_buf *out);
/* No thread could run, but something outside could still have ended a wait. */
void fr_say_waits(const struct fr_replayed *r, struct fr_buf *out);
void fr_say_hang(const struct fr_judge *j, const struct fr_replayed *r, struct fr_buf *out);
void fr_say_crash(struct fr_judge *j, const struct fr_replayed *r, struct fr_buf *out);
/* A place in headers of the system, or one that is not known. */
bool fr_say_of_system(const struct fr_sites *sites, uint32_t site);
/* "bank.c:31 in withdraw()"; "a place that is not known". */
void fr_say_place(const struct fr_sites *sites, uint32_t site, struct fr_buf *out);

/* How two texts differ (compare_output.c). */
enum fr_differ { FR_SAME, FR_OTHER_ORDER, FR_OTHER_ADDRESSES, FR_VARIES, FR_DIFFERENT };
/* ret_line: the first line that differs, from 1. */
enum fr_differ fr_output_compare(const char *a, size_t na, const char *b, size_t nb,
				 uint64_t *ret_line);
struct fr_output_text {
	const char *s;
	size_t n;
};
/* Does a text differ from the references only where these differ from each other (vary.c)? */
bool fr_output_varies(const struct fr_output_text *ref, size_t nrefs,
		      const struct fr_output_text *now);
/* A new string, with @ in place of each address. */
char *fr_output_without_addresses(const char *s, size_t n, size_t *ret_n);
/* A text that a terminal took part in, without what it echoed of what was typed, a new string. */
char *fr_output_without_echo(const char *s, size_t n, const char *typed, size_t ntyped,
			     size_t *ret_n);
/* The line of the first report of a sanitizer that `then` does not have, a new string; NULL: none.
 */
char *fr_output_sanitizer(const char *s, size_t n, const char *then, size_t nthen);
/* "file:line: Assertion `text' failed" as the C library prints it, a new string; NULL: none. */
char *fr_output_assertion(const char *s, size_t n);

#endif
