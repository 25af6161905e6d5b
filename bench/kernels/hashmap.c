/*
 * A chained hash map with striped locks, under a mixed load of gets, additions and removals. SIZE
 * is the number of operations, in thousands. All threads get and add on common keys (additions
 * commute); each puts and removes keys of its own. The checksum is over the content of the map at
 * the end.
 */
#include "kernel_main.h"

#define STRIPES 64
#define BUCKETS 65536
#define COMMON_KEYS 40000
#define OWN_KEYS 4000

struct node {
	uint64_t key;
	uint64_t value;
	struct node *next;
};

struct map {
	struct node *bucket[BUCKETS];
	struct stripe {
		pthread_mutex_t lock;
		long entries;
		char pad[64];
	} stripe[STRIPES];
};

static struct map map;
static long operations;
static long rounds;

static size_t bucket_of(uint64_t key)
{
	return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 40) % BUCKETS;
}

static struct stripe *lock_bucket(struct map *m, size_t b)
{
	struct stripe *s = &m->stripe[b % STRIPES];

	pthread_mutex_lock(&s->lock);
	return s;
}

static struct node **find_link(struct map *m, size_t b, uint64_t key)
{
	struct node **link = &m->bucket[b];

	while (*link && (*link)->key != key)
		link = &(*link)->next;
	return link;
}

static int map_get(struct map *m, uint64_t key, uint64_t *value)
{
	size_t b = bucket_of(key);
	struct stripe *s = lock_bucket(m, b);
	struct node *n = *find_link(m, b, key);

	if (n)
		*value = n->value;
	pthread_mutex_unlock(&s->lock);
	return n != NULL;
}

/* Adds to the key's value, which starts from 0. */
static void map_add(struct map *m, uint64_t key, uint64_t amount)
{
	size_t b = bucket_of(key);
	struct stripe *s = lock_bucket(m, b);
	struct node **link = find_link(m, b, key);

	if (!*link) {
		struct node *n = allocate(sizeof(*n));

		n->key = key;
		n->value = 0;
		n->next = NULL;
		*link = n;
		s->entries++;
	}
	(*link)->value += amount;
	pthread_mutex_unlock(&s->lock);
}

static int map_remove(struct map *m, uint64_t key)
{
	size_t b = bucket_of(key);
	struct stripe *s = lock_bucket(m, b);
	struct node **link = find_link(m, b, key);
	struct node *n = *link;

	if (n) {
		*link = n->next;
		s->entries--;
	}
	pthread_mutex_unlock(&s->lock);
	free(n);
	return n != NULL;
}

struct work {
	int self;
	uint64_t found; /* gets that found something */
};

static void *worker(void *arg)
{
	struct work *w = arg;
	uint64_t own = (uint64_t)(w->self + 1) << 32;
	uint64_t rng = random_seed((uint64_t)w->self + 99);

	for (long r = 0; r < rounds; r++) {
		for (long i = 0; i < operations; i++) {
			uint64_t x = random_next(&rng);
			uint64_t common = (x >> 8) % COMMON_KEYS, value;

			switch (x & 15) {
			case 0:
			case 1:
			case 2:
				map_add(&map, common, x >> 48);
				break;
			case 3:
				map_add(&map, own + common % OWN_KEYS, 1);
				break;
			case 4:
				map_remove(&map, own + common % OWN_KEYS);
				break;
			default:
				if (map_get(&map, common, &value))
					w->found++;
			}
		}
	}
	return NULL;
}

int main(int argc, char **argv)
{
	struct options o = parse_options(argc, argv, 8000);
	struct work *work = allocate((size_t)o.threads * sizeof(*work));
	uint64_t sum = 0;
	long entries = 0;

	operations = o.size * 1000 / o.threads;
	rounds = o.rounds;
	for (int i = 0; i < STRIPES; i++)
		pthread_mutex_init(&map.stripe[i].lock, NULL);
	for (int i = 0; i < o.threads; i++)
		work[i] = (struct work){.self = i};
	run_threads(o.threads, worker, work, sizeof(*work));

	for (size_t b = 0; b < BUCKETS; b++) {
		while (map.bucket[b]) {
			struct node *n = map.bucket[b];

			sum += checksum_add(checksum_add(1, n->key), n->value);
			map.bucket[b] = n->next;
			free(n);
			entries++;
		}
	}
	for (int i = 0; i < STRIPES; i++) {
		entries -= map.stripe[i].entries;
		pthread_mutex_destroy(&map.stripe[i].lock);
	}
	if (entries) {
		fprintf(stderr, "hashmap: %ld entries miscounted\n", entries);
		return 1;
	}
	printf("hashmap %016" PRIx64 "\n", sum);
	free(work);
	return 0;
}
