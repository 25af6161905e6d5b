/*
 * The attributes of clang's thread-safety analysis in C, with a lock of the program's own: a field
 * guarded by a lock of the same struct, a global guarded by a global lock, and a function that
 * requires a lock. The thread `cheat` needs them and takes none. The rwlock has two
 * readers at once, and a writer.
 *
 * order: creation
 */
#include <pthread.h>

#if defined(__has_attribute) && __has_attribute(guarded_by)
#define ATTRIBUTE(x) __attribute__((x))
#else
#define ATTRIBUTE(x)
#endif
#define GUARDED_BY(x) ATTRIBUTE(guarded_by(x))
#define REQUIRES(...) ATTRIBUTE(exclusive_locks_required(__VA_ARGS__))

struct ATTRIBUTE(capability("mutex")) lock {
	const char *name;
	pthread_mutex_t m;
};
struct account {
	int id;
	struct lock lock;
	long balance GUARDED_BY(lock);
	long log GUARDED_BY(lock);
};
static struct lock bank = {"bank", PTHREAD_MUTEX_INITIALIZER};
static long total GUARDED_BY(bank);
static pthread_rwlock_t rate_lock = PTHREAD_RWLOCK_INITIALIZER;
static long rate GUARDED_BY(rate_lock) = 3;
static struct account one = {1, {"one", PTHREAD_MUTEX_INITIALIZER}, 100, 0};

static void take(struct lock *l) ATTRIBUTE(no_thread_safety_analysis)
{
	pthread_mutex_lock(&l->m);
}

static void drop(struct lock *l) ATTRIBUTE(no_thread_safety_analysis)
{
	pthread_mutex_unlock(&l->m);
}

static void add(int n, struct account *a) REQUIRES(a->lock);
static void add(int n, struct account *a)
{
	a->balance += n;
}

static long read_rate(void)
{
	long r;

	pthread_rwlock_rdlock(&rate_lock);
	r = rate;
	pthread_rwlock_unlock(&rate_lock);
	return r;
}

static void *honest(void *arg)
{
	long r = read_rate();

	take(&one.lock);
	add(10, &one);
	one.log += r;
	drop(&one.lock);
	take(&bank);
	total += 10;
	drop(&bank);
	pthread_rwlock_wrlock(&rate_lock);
	rate++;
	pthread_rwlock_unlock(&rate_lock);
	return arg;
}

static void *cheat(void *arg)
{
	long r = read_rate();

#ifdef FIXED
	take(&one.lock);
#endif
	add(20, &one);
	one.log -= r;
#ifdef FIXED
	drop(&one.lock);
	take(&bank);
#endif
	total += 20;
#ifdef FIXED
	drop(&bank);
#endif
	return arg;
}

int main(void)
{
	pthread_t t[2];

	one.balance = 50; /* no lock: no other thread exists yet */
	pthread_create(&t[0], NULL, honest, NULL);
	pthread_create(&t[1], NULL, cheat, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
