/*
 * A value with its version. The writer stores the value, then the version; the reader loads the
 * version, then the value. Each access is atomic, and nothing races. But the reader can take the
 * new value for the old version.
 *
 * The two units have the locations in opposite order. It does not matter whether the reader loads
 * the version before or after the writer has stored the value.
 *
 * expect: atomic-set-violation value+version write@value write@version read@version_read read@value_read
 * harm: assert version.c:@check: Assertion `s > 0 || v == 0' failed
 * order: creation
 */
#include <assert.h>
#include <forerun.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static _Alignas(64) atomic_int value;
static _Alignas(64) atomic_int version;
#ifdef FIXED
static pthread_mutex_t both = PTHREAD_MUTEX_INITIALIZER;
#define BEGIN pthread_mutex_lock(&both)
#define END pthread_mutex_unlock(&both)
#else
#define BEGIN FORERUN_ATOMIC_BEGIN()
#define END FORERUN_ATOMIC_END()
#endif

static void *look(void *arg)
{
	int s, v;

	BEGIN;
	s = atomic_load(&version); /* @version_read */
	v = atomic_load(&value);   /* @value_read */
	END;
	assert(s > 0 || v == 0); /* @check */
	return arg;
}

static void *put(void *arg)
{
	BEGIN;
	atomic_store(&value, 7);   /* @value */
	atomic_store(&version, 1); /* @version */
	END;
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, look, NULL);
	pthread_create(&b, NULL, put, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("%d of version %d\n", atomic_load(&value), atomic_load(&version));
	return 0;
}
