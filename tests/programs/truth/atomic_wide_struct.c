/* An atomic structure of 24 bytes: libatomic takes a lock of its own. */
/* link: -latomic */
#include "truth.h"
#include <stdatomic.h>

struct triple {
	long a, b, c;
};

static _Atomic struct triple t;

static void *writer(void *unused)
{
	for (long i = 1; i <= 3; i++)
		atomic_store(&t, ((struct triple){i, i, i}));
	return unused;
}

static void *reader(void *unused)
{
	for (int i = 0; i < 3; i++) {
		struct triple x = atomic_load(&t);

		assert(x.a == x.b && x.b == x.c);
	}
	return unused;
}

int main(void)
{
	return both(reader, writer, NULL);
}
