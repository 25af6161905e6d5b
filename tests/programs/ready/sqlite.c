/*
 * main finalizes the statement while a thread may still execute it. A connection is closed last.
 * order: 0+,1,0
 * build: -lsqlite3
 * spec: sqlite
 */
#include <pthread.h>
#include <sqlite3.h>
#include <stddef.h>

static sqlite3_stmt *statement;

static void *worker(void *arg)
{
	sqlite3_step(statement);
	return arg;
}

int main(void)
{
	pthread_t t;
	sqlite3 *db;

	if (sqlite3_open(":memory:", &db) || sqlite3_exec(db, "CREATE TABLE t(x)", NULL, NULL, NULL) ||
	    sqlite3_prepare_v2(db, "INSERT INTO t VALUES(1)", -1, &statement, NULL))
		return 1;
	pthread_create(&t, NULL, worker, NULL);
#ifdef FIXED
	pthread_join(t, NULL);
#endif
	sqlite3_finalize(statement);
#ifndef FIXED
	pthread_join(t, NULL);
#endif
	sqlite3_close(db);
	return 0;
}
