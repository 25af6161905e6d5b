/* Threads that share tasks. */
#include "fixture.h"
#include "base/crew.h"
#include <unistd.h>

#define TASKS 5000

struct job {
	struct fr_crew crew;
	_Atomic unsigned times[TASKS];
	_Atomic unsigned calls;
	_Atomic bool open; /* no thread leaves work() before */
};

static void work(void *arg)
{
	struct job *j = arg;
	size_t i;

	j->calls++;
	while (fr_crew_take(&j->crew, &i)) {
		assert_true(i < j->crew.total);
		j->times[i]++;
		j->crew.done++;
	}
	while (!j->open)
		usleep(1000);
}

static void run(struct job *j, size_t tasks, uint32_t most, uint32_t calls)
{
	*j = (struct job){.crew = {.total = tasks}};
	assert_true(fr_crew_start(&j->crew, most, work, j));
	assert_int_equal(fr_crew_wait(&j->crew, 1), !calls);
	j->open = true;
	while (!fr_crew_wait(&j->crew, 10))
		;
	fr_crew_join(&j->crew);
	assert_int_equal(j->crew.done, tasks);
	assert_int_equal(j->calls, calls);
	for (size_t i = 0; i < TASKS; i++)
		assert_int_equal(j->times[i], i < tasks);
}

static void every_task_is_done_once(void **state)
{
	static struct job j;

	(void)state;
	run(&j, TASKS, 8, 8);
	run(&j, TASKS, 1, 1);
}

static void no_more_threads_than_tasks(void **state)
{
	static struct job j;

	(void)state;
	run(&j, 3, 8, 3);
	run(&j, 0, 8, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_task_is_done_once),
	    cmocka_unit_test(no_more_threads_than_tasks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
