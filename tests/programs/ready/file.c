/*
 * main closes the log while a thread may still write to it. An earlier stream had the same address.
 * order: creation
 * spec: file
 */
#include <pthread.h>
#include <stdio.h>

static FILE *file;

static void *writer(void *arg)
{
	fprintf(file, "%d lines\n", 1);
	return arg;
}

int main(void)
{
	pthread_t t;
	FILE *before = fopen("/dev/null", "w");

	fprintf(before, "%d\n", 0);
	fclose(before);
	file = fopen("/dev/null", "w");
	pthread_create(&t, NULL, writer, NULL);
#ifdef FIXED
	pthread_join(t, NULL);
#endif
	fclose(file);
#ifndef FIXED
	pthread_join(t, NULL);
#endif
	return 0;
}
