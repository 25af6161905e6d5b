/*
 * Two threads append records to one file with O_APPEND; the file may hold records of earlier runs.
 */
#include "truth.h"
static void *appender(void *arg)
{
	int fd = open("log", O_CREAT | O_APPEND | O_WRONLY, 0600);

	assert(fd >= 0);
	for (int i = 0; i < 3; i++)
		assert(write(fd, arg, 4) == 4);
	close(fd);
	return NULL;
}
int main(void)
{
	struct stat s;
	pthread_t t[2];
	char *text;
	int fd;

	pthread_create(&t[0], NULL, appender, "aaa\n");
	pthread_create(&t[1], NULL, appender, "bbb\n");
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	fd = open("log", O_RDONLY);
	assert(!fstat(fd, &s) && s.st_size >= 24 && s.st_size % 4 == 0);
	text = malloc((size_t)s.st_size);
	assert(read(fd, text, (size_t)s.st_size) == s.st_size);
	for (off_t i = 0; i < s.st_size; i += 4)
		assert(text[i] == text[i + 1] && text[i + 3] == '\n');
	free(text);
	return 0;
}
