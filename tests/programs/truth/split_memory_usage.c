/* Memory maps and resident size: a mapped range is in /proc/self/maps. */
#include "truth.h"
#include <sys/mman.h>

static void *work(void *unused)
{
	void *p = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned long a, b;
	char line[512];
	int found = 0;
	FILE *f;

	tick();
	f = fopen("/proc/self/maps", "r");
	assert(f);
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "%lx-%lx", &a, &b) == 2 && a <= (unsigned long)p &&
		    (unsigned long)p < b)
			found = 1;
	fclose(f);
	tick();
	assert(found);
	munmap(p, 4096);
	return unused;
}

int main(void)
{
	return beside_look(work);
}
