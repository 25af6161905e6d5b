/* Coroutines by swapcontext() on stacks of the program, in two threads. */
#include "truth.h"
#include <ucontext.h>

struct co {
	ucontext_t caller, own;
	int steps;
	char stack[65536];
};

static __thread struct co *cur;

static void body(void)
{
	struct co *c = cur;

	for (int i = 0; i < 3; i++) {
		c->steps++;
		tick();
		swapcontext(&c->own, &c->caller);
	}
}

static void *work(void *unused)
{
	struct co *c = calloc(1, sizeof(*c));

	getcontext(&c->own);
	c->own.uc_stack.ss_sp = c->stack;
	c->own.uc_stack.ss_size = sizeof(c->stack);
	c->own.uc_link = &c->caller;
	makecontext(&c->own, body, 0);
	cur = c;
	for (int i = 0; i < 4; i++)
		swapcontext(&c->caller, &c->own);
	assert(c->steps == 3);
	free(c);
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	return truth_count != 6;
}
