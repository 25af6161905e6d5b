/*
 * A database that threads use in the wrong order: nothing keeps an update before the deletion of
 * the table (GPredict figure 11).
 * order: creation
 * spec: database.spec
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct db {
	pthread_mutex_t mutex;
	int tables;
};
static struct db *conn;
static char table[] = "t";

struct db *db_open(void)
{
	struct db *d = calloc(1, sizeof(*d));

	pthread_mutex_init(&d->mutex, NULL);
	return d;
}

void create_table(struct db *d, char *name)
{
	pthread_mutex_lock(&d->mutex);
	d->tables += name != NULL;
	pthread_mutex_unlock(&d->mutex);
}

void update_table(struct db *d, char *name, int v)
{
	pthread_mutex_lock(&d->mutex);
	assert(name && v);
	pthread_mutex_unlock(&d->mutex);
}

void delete_table(struct db *d, char *name)
{
	pthread_mutex_lock(&d->mutex);
	d->tables -= name != NULL;
	pthread_mutex_unlock(&d->mutex);
}

void db_close(struct db *d)
{
	pthread_mutex_destroy(&d->mutex);
	free(d);
}

static void *updates(void *arg)
{
	update_table(conn, table, 1);
	return arg;
}

static void *deletes(void *arg)
{
	delete_table(conn, table);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	conn = db_open();
	create_table(conn, table);
	pthread_create(&a, NULL, updates, NULL);
#ifdef FIXED
	pthread_join(a, NULL);
#endif
	pthread_create(&b, NULL, deletes, NULL);
#ifndef FIXED
	pthread_join(a, NULL);
#endif
	pthread_join(b, NULL);
	db_close(conn);
	return 0;
}
