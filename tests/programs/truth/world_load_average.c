/* The state of the machine: load, free memory, processors on line. */
#include "truth.h"
#include <sys/statvfs.h>
#include <sys/sysinfo.h>

static void *work(void *unused)
{
	struct sysinfo a, b;
	struct statvfs v;
	double load[3];

	assert(sysinfo(&a) == 0);
	tick();
	assert(sysconf(_SC_NPROCESSORS_ONLN) >= 1 && get_nprocs() >= 1);
	assert(getloadavg(load, 3) == 3 && load[0] >= 0);
	tick();
	assert(sysinfo(&b) == 0 && b.uptime >= a.uptime && b.totalram == a.totalram);
	assert(statvfs(".", &v) == 0 && v.f_bfree <= v.f_blocks);
	return unused;
}

int main(void)
{
	return beside_look(work);
}
