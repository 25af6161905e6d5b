/*
 * Two threads use one database: `shared`: one connection for both, in memory; `cache`: a connection each to one shared
 * cache; `file`: a connection each to a file. Every statement may find the database locked, which ends its thread's work.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "sqlite3.h"

static const char *name;
static int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI;
static sqlite3 *first;

static void *work(void *number)
{
	sqlite3 *db = first;
	char sql[80];

	if (!db && sqlite3_open_v2(name, &db, flags, NULL))
		return NULL;
	snprintf(sql, sizeof(sql), "INSERT INTO t VALUES(%d); SELECT count(*) FROM t", *(int *)number);
	sqlite3_exec(db, sql, NULL, NULL, NULL);
	if (!first)
		sqlite3_close(db);
	return NULL;
}

int main(int argc, char **argv)
{
	int numbers[2] = { 1, 2 };
	pthread_t threads[2];
	sqlite3 *db;

	if (argc < 2)
		return 2;
	name = !strcmp(argv[1], "file") ? "small.db" : !strcmp(argv[1], "cache") ? "file:m?mode=memory&cache=shared" : ":memory:";
	unlink("small.db");
	if (sqlite3_open_v2(name, &db, flags, NULL) || sqlite3_exec(db, "CREATE TABLE t(x)", NULL, NULL, NULL))
		return 1;
	if (!strcmp(argv[1], "shared"))
		first = db;
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, &numbers[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	sqlite3_close(db);
	return 0;
}
