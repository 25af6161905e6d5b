/*
 * Leases: a thread reads who holds a lease under the lock, works outside, and renews with a version check under the
 * lock again. Losers count their refusals and retry. Several locations (holder, version, until) are read in one region
 * and written in another; the version makes that legal.
 */
#include "truth.h"

static struct {
	int holder, version, until;
} lease;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int refused, renewals, work[3];

static int renew(int me, int version, int until)
{
	int ok;

	pthread_mutex_lock(&m);
	ok = lease.version == version;
	if (ok) {
		lease.holder = me;
		lease.until = until;
		lease.version++;
		renewals++;
	} else {
		refused++;
	}
	pthread_mutex_unlock(&m);
	return ok;
}

static void *contend(void *arg)
{
	int me = (int)(long)arg;

	for (int n = 0; n < 2;) {
		int version, until, holder;

		pthread_mutex_lock(&m);
		version = lease.version;
		until = lease.until;
		holder = lease.holder;
		pthread_mutex_unlock(&m);
		if (renew(me, version, until + (holder == me ? 1 : 2))) {
			work[me]++;
			n++;
		}
	}
	return NULL;
}

int main(void)
{
	pthread_t t[3];

	for (long i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, contend, (void *)i);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	assert(lease.version == 6 && lease.until >= 6 && lease.until <= 12);
	printf("%d renewals, holder %d\n", renewals, lease.holder >= 0);
	return renewals != 6 || work[0] + work[1] + work[2] != 6;
}
