/* The last of three users unmaps a region whose users are counted in the region itself. */
#include "truth.h"
#include <stdatomic.h>
#include <sys/mman.h>
struct region {
	atomic_int users;
	int a[3];
};
static void *user(void *arg)
{
	struct region *r = arg;

	assert(r->a[0] + r->a[1] + r->a[2] == 6);
	if (atomic_fetch_sub(&r->users, 1) == 1)
		assert(munmap(r, 4096) == 0);
	return NULL;
}
int main(void)
{
	for (int i = 0; i < 3; i++) {
		struct region *r = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		pthread_t t[3];

		assert(r != MAP_FAILED);
		atomic_init(&r->users, 3);
		r->a[0] = 1 + i;
		r->a[1] = 2;
		r->a[2] = 3 - i;
		for (int k = 0; k < 3; k++)
			pthread_create(&t[k], NULL, user, r);
		for (int k = 0; k < 3; k++)
			pthread_join(t[k], NULL);
	}
	return 0;
}
