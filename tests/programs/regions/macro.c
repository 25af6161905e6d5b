/*
 * Two regions of one lock in one macro: all accesses have the same line and column.
 *   TWICE  a value is read twice and must not have changed
 *   BACK   a value is written and must still be there
 *   MARKS  a flag is set and cleared again, and the request of another thread is lost
 *   CALLS  set(get() + 1), in functions that lock by themselves
 *   INLINE the same functions, inlined
 * FIXED: one region. LOOP: one region, in a loop: no two of them belong together.
 *
 * order: creation
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

#define ENTER pthread_mutex_lock(&m)
#define LEAVE pthread_mutex_unlock(&m)
#ifdef FIXED
#define PART ((void)0)
#else
#define PART (LEAVE, ENTER)
#endif

#ifdef INLINE
#define KIND static inline __attribute__((always_inline))
#else
#define KIND static __attribute__((noinline))
#endif

#if defined(CALLS) || defined(INLINE)
#ifdef FIXED
#define IN ((void)0)
#define OUT ((void)0)
#else
#define IN ENTER
#define OUT LEAVE
#endif

KIND int get(void)
{
	int n;

	IN;
	n = x;
	OUT;
	return n;
}

KIND void set(int n)
{
	IN;
	x = n;
	OUT;
}
#ifdef FIXED
#define WORK() (ENTER, set(get() + 1), LEAVE)
#else
#define WORK() set(get() + 1)
#endif
#define OTHER() (ENTER, x += 1, LEAVE)
#define CHECK() assert(x == 2)
#elif defined(TWICE)
#define WORK()                  \
	do {                    \
		int a, b;       \
		ENTER;          \
		a = x;          \
		PART;           \
		b = x;          \
		LEAVE;          \
		assert(a == b); \
	} while (0)
#define OTHER() (ENTER, x = 1, LEAVE)
#define CHECK() assert(x == 1)
#elif defined(BACK)
#define WORK()                  \
	do {                    \
		int a;          \
		ENTER;          \
		x = 5;          \
		PART;           \
		a = x;          \
		LEAVE;          \
		assert(a == 5); \
	} while (0)
#define OTHER() (ENTER, x = 1, LEAVE)
#define CHECK() assert(x)
#elif defined(MARKS)
#define WORK()         \
	do {           \
		ENTER; \
		x = 1; \
		PART;  \
		x = 2; \
		LEAVE; \
	} while (0)
#ifdef FIXED
#define OTHER() (ENTER, x = 3, LEAVE)
#define CHECK() assert(x)
#else
#define OTHER() (ENTER, x = 3, LEAVE)
#define CHECK() assert(x == 3)
#endif
#else
#define WORK()                              \
	do {                                \
		for (int i = 0; i < 2; i++) { \
			ENTER;              \
			x += 1;             \
			LEAVE;              \
		}                           \
	} while (0)
#define OTHER() (ENTER, x += 1, LEAVE)
#define CHECK() assert(x == 3)
#endif

static void *work(void *arg)
{
	WORK();
	return arg;
}

static void *other(void *arg)
{
	OTHER();
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, other, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	CHECK();
	return 0;
}
