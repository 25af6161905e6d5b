/* The first thread builds the table, and prints its name; both threads then use the table. */
#include "truth.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *table;
static int *get(const char *who)
{
	int *t;

	pthread_mutex_lock(&m);
	if (!table) {
		table = calloc(4, sizeof(*table));
		for (int i = 0; i < 4; i++)
			table[i] = i * i;
		printf("built by %s\n", who);
	}
	t = table;
	pthread_mutex_unlock(&m);
	return t;
}
static void *user(void *arg)
{
	assert(get(arg)[3] == 9);
	printf("%s is done\n", (char *)arg);
	return NULL;
}
int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, user, "one");
	pthread_create(&t[1], NULL, user, "two");
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	free(table);
	return 0;
}
