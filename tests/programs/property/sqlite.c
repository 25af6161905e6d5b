/*
 * Threads use a real database through libsqlite3 in the wrong order: the main thread waits for one
 * of two threads, and deletes the table (GPredict figure 11).
 * order: creation
 * build: -lsqlite3
 * spec: sqlite.spec
 */
#include <pthread.h>
#include <sqlite3.h>
#include <stddef.h>
#include <stdio.h>

static sqlite3 *db;

static void run(const char *sql)
{
	if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
		printf("error: %s\n", sqlite3_errmsg(db));
}

void create_table(sqlite3 *conn)
{
	(void)conn;
	run("CREATE TABLE t(a)");
}

void update_table(sqlite3 *conn)
{
	(void)conn;
	run("INSERT INTO t VALUES(1)");
}

void delete_table(sqlite3 *conn)
{
	(void)conn;
	run("DROP TABLE t");
}

static void *client(void *arg)
{
	update_table(db);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	sqlite3_open(":memory:", &db);
	create_table(db);
	pthread_create(&a, NULL, client, NULL);
	pthread_create(&b, NULL, client, NULL);
	pthread_join(a, NULL);
#ifdef FIXED
	pthread_join(b, NULL);
#endif
	delete_table(db);
#ifndef FIXED
	pthread_join(b, NULL);
#endif
	sqlite3_close(db);
	return 0;
}
