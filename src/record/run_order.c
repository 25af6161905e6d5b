/* Fixed orders of recordings: see run_order.h. */
#include "record/run_order.h"
#include "base/assert.h"
#include "base/io.h"
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define ORDER_QUANTUM 1000000

static int wrong(const char *text, struct fr_err *reterr)
{
	return fr_err_say(reterr, -EINVAL,
			  "--order: expected 'creation', 'random:SEED', or turns that begin with "
			  "thread 0, such as 0+,1,0: not '%s'",
			  text);
}

static int parse_turns(const char *text, struct fr_run_order *o, struct fr_err *reterr)
{
	for (const char *s = text;; s++) {
		struct fr_control_file_turn turn = {0};
		char *end;
		unsigned long n = strtoul(s, &end, 10);

		if (*s < '0' || *s > '9')
			return wrong(text, reterr);
		if (n >= FR_POOL_MAX_THREADS)
			return fr_err_say(reterr, -EINVAL, "--order: thread numbers are below %d",
					  FR_POOL_MAX_THREADS);
		turn.thread = (uint32_t)n;
		turn.create = *end == '+';
		fr_vec_push(&o->turn, turn);
		s = end + turn.create;
		if (!*s)
			return o->turn.v[0].thread ? wrong(text, reterr) : 0;
		if (*s != ',')
			return wrong(text, reterr);
	}
}

/* The seed 0 stands for no random order, so the program gets the number given + 1. */
static int parse_seed(const char *text, const char *digits, struct fr_run_order *o,
		      struct fr_err *reterr)
{
	unsigned long long n;
	char *end;

	errno = 0;
	n = strtoull(digits, &end, 10);
	if (*digits < '0' || *digits > '9' || *end || errno || n == UINT64_MAX)
		return wrong(text, reterr);
	o->seed = n + 1;
	return 0;
}

static int parse(const char *text, struct fr_run_order *o, struct fr_err *reterr)
{
	if (!strcmp(text, "creation"))
		return 0;
	if (!strncmp(text, "random:", 7))
		return parse_seed(text, text + 7, o, reterr);
	return parse_turns(text, o, reterr);
}

int fr_run_order_parse(const char *text, struct fr_run_order *ret, struct fr_err *reterr)
{
	struct fr_run_order o = {.text = text};
	int r = text ? parse(text, &o, reterr) : 0;

	if (r < 0)
		fr_run_order_free(&o);
	else
		*ret = o;
	return r;
}

void fr_run_order_free(struct fr_run_order *o)
{
	fr_vec_free(&o->turn);
}

int fr_run_order_open(struct fr_run_order_file *f, const struct fr_run_order *o,
		      struct fr_pool *pool, struct fr_err *reterr)
{
	size_t bytes = o->turn.n * sizeof(*o->turn.v),
	       size = sizeof(struct fr_control_file) + bytes;
	int r = fr_io_memory("forerun-order", size, &f->fd, f->path, reterr);
	struct fr_control_file *c;

	fr_assert(o->text && !f->c);
	if (r < 0)
		return r;
	c = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, f->fd, 0);
	if (c == MAP_FAILED) {
		r = fr_err_set(reterr, -errno, "cannot map the order");
		fr_closep(&f->fd);
		return r;
	}
	c->version = FR_CONTROL_FILE_VERSION;
	c->size = size;
	c->recording = 1;
	c->quantum = ORDER_QUANTUM;
	c->patience = UINT64_MAX;
	c->norder = o->turn.n;
	c->seed = o->seed;
	c->turns_off = sizeof(*c);
	if (bytes)
		memcpy(fr_control_file_turns(c), o->turn.v, bytes);
	c->magic = FR_CONTROL_FILE_MAGIC;
	strcpy(pool->control_file, f->path);
	f->c = c;
	f->size = size;
	f->turns = o->turn.n;
	f->watch = (struct fr_turn_watch){.c = c, .pool = pool};
	return 0;
}

void fr_run_order_close(struct fr_run_order_file *f)
{
	if (!f->c)
		return;
	munmap(f->c, f->size);
	fr_closep(&f->fd);
	f->c = NULL;
}

char *fr_run_order_warning(const struct fr_run_order_file *f)
{
	uint64_t done;

	if (!f->c)
		return NULL;
	done = atomic_load(&f->c->turn);
	if (f->c->skipped)
		return fr_xasprintf(
		    "--order: the thread of turn %llu could not run; turns skipped: "
		    "%llu",
		    (unsigned long long)f->c->first_skipped, (unsigned long long)f->c->skipped);
	if (done < f->turns)
		return fr_xasprintf("--order: the program ended before turn %llu",
				    (unsigned long long)done + 1);
	return NULL;
}
