/* A static function takes a pointer and reads it under a condition. */
#include "truth.h"
#include <stdatomic.h>

struct conf {
	int level, extra;
};

static struct conf c;
static atomic_int ready;
static int got;

__attribute__((noinline)) static int pick(const struct conf *p, int r)
{
	if (r)
		return p->level + p->extra;
	return 0;
}

static void *reader(void *unused)
{
	got = pick(&c, atomic_load_explicit(&ready, memory_order_acquire));
	return unused;
}

static void *writer(void *unused)
{
	c.level = 2;
	c.extra = 3;
	atomic_store_explicit(&ready, 1, memory_order_release);
	return unused;
}

int main(void)
{
	both(reader, writer, NULL);
	return got != 0 && got != 5;
}
