/*
 * A thread makes a name while main lists the folder: listed_between.c makes it at the worst moment.
 */
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
void await_listing(void);
static void *makes(void *p)
{
	await_listing();
	mkdir("list/x", 0700);
	return p;
}
int main(void)
{
	pthread_t t;
	DIR *d;
	int n = 0;

	pthread_create(&t, NULL, makes, NULL);
	mkdir("list", 0700);
	d = opendir("list");
	while (readdir(d))
		n++;
	pthread_join(t, NULL);
	printf("%d\n", n);
	return 0;
}
