/* An atomic check and an atomic act that tolerates a change in between. */
#include "truth.h"
#include <stdatomic.h>

static atomic_int tokens = 3, taken;

static void *work(void *unused)
{
	while (atomic_load(&tokens) > 0) {
		int t = atomic_load(&tokens);

		if (t > 0 && atomic_compare_exchange_strong(&tokens, &t, t - 1))
			atomic_fetch_add(&taken, 1);
	}
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	return tokens != 0 || taken != 3;
}
