/* The terminal: colours, readable numbers, a progress line; and the monotonic clock. */
#include "base/term.h"
#include "base/assert.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

bool fr_term_colour(FILE *f)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	return !(no && *no) && term && strcmp(term, "dumb") != 0 && isatty(fileno(f));
}

const char *fr_term_seq(bool on, enum fr_colour c)
{
	static const char *const seq[] = {"\033[0m",  "\033[1m",  "\033[2m", "\033[31m",
					  "\033[32m", "\033[33m", "\033[36m"};

	fr_assert((size_t)c < sizeof(seq) / sizeof(seq[0]));
	return on ? seq[c] : "";
}

char *fr_term_number(uint64_t v, char *buf)
{
	char digits[24], *out = buf;
	int n = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)v);

	for (int i = 0; i < n; i++) {
		if (i && (n - i) % 3 == 0)
			*out++ = ',';
		*out++ = digits[i];
	}
	*out = 0;
	return buf;
}

uint64_t fr_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

double fr_now_s(void)
{
	return (double)fr_now_ns() / 1e9;
}

#define SECOND UINT64_C(1000000000)

void fr_progress_step(struct fr_progress *p, const char *what, uint64_t done, uint64_t total)
{
	uint64_t now;
	char a[32], b[32];

	if (p->off)
		return;
	now = fr_now_ns();
	if (!p->start_ns) {
		p->start_ns = now;
		p->off = !isatty(STDERR_FILENO);
	}
	if (p->off || now - p->start_ns < SECOND || now - p->last_ns < SECOND / 10)
		return;
	p->last_ns = now;
	p->shown = true;
	if (total)
		fprintf(stderr, "\r\033[K%s: %s of %s (%u%%)", what, fr_term_number(done, a),
			fr_term_number(total, b),
			(unsigned)(done < total ? done * 100 / total : 100));
	else
		fprintf(stderr, "\r\033[K%s: %s", what, fr_term_number(done, a));
}

void fr_progress_end(struct fr_progress *p)
{
	if (p->shown)
		fprintf(stderr, "\r\033[K");
	p->shown = false;
}
