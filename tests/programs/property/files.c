/*
 * The log is closed while another thread may still write to it. The file before it had the same
 * address, because its memory was freed and allocated again: that is no use after close.
 * order: creation
 * spec: files.spec
 */
#include <pthread.h>
#include <stdio.h>

static FILE *file;

static void *writer(void *arg)
{
	fputs("hello\n", file);
	return arg;
}

int main(void)
{
	pthread_t t;
	FILE *before = fopen("/dev/null", "w");

	fputs("first\n", before);
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
	return before != file;
}
