/* A one-shot event over a futex. The waiter reads plain data after it. */
#include "truth.h"
#include <stdatomic.h>
#include <linux/futex.h>
#include <sys/syscall.h>

static atomic_uint set;
static int data[4];

static void *waiter(void *unused)
{
	while (atomic_load_explicit(&set, memory_order_acquire) == 0)
		syscall(SYS_futex, &set, FUTEX_WAIT, 0, NULL, NULL, 0);
	assert(data[0] + data[3] == 5);
	return unused;
}

static void *setter(void *unused)
{
	data[0] = 1;
	data[3] = 4;
	atomic_store_explicit(&set, 1, memory_order_release);
	syscall(SYS_futex, &set, FUTEX_WAKE, 1, NULL, NULL, 0);
	return unused;
}

int main(void)
{
	return both(waiter, setter, NULL);
}
