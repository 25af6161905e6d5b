/*
 * Changes files in many ways, and has one bug: two threads add to `total` without a lock. argv[1]:
 * the folder in which it works. It prints what it found there, so that a re-execution in another
 * world prints something else.
 *
 * order: creation
 * args: work
 */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long total;

static void *work(void *arg)
{
#ifdef FIXED
	pthread_mutex_lock(&m);
#endif
	total += 5;
#ifdef FIXED
	pthread_mutex_unlock(&m);
#else
	(void)m;
#endif
	return arg;
}

static int names(const char *dir)
{
	DIR *d = opendir(dir);
	int n = 0;

	while (d && readdir(d))
		n++;
	if (d)
		closedir(d);
	return n;
}

static void show(const char *name)
{
	char text[64] = "", target[64] = "";
	FILE *f = fopen(name, "r");
	struct stat st;

	if (f && !fgets(text, sizeof(text), f))
		text[0] = 0;
	if (f)
		fclose(f);
	if (readlink(name, target, sizeof(target) - 1) < 0)
		target[0] = 0;
	printf("%s: %o '%s' '%s'\n", name, lstat(name, &st) < 0 ? 0 : st.st_mode, text, target);
}

static void put(const char *name, const char *mode, const char *text)
{
	FILE *f = fopen(name, mode);

	if (!f || fputs(text, f) < 0 || fclose(f))
		exit(3);
}

int main(int argc, char **argv)
{
	static const char *const known[] = {"log", "config", "gone", "moved", "link",
					    "sub", "sub/in", "made", "fifo"};
	pthread_t t, u;

	if (argc < 2 || chdir(argv[1]) < 0)
		return 2;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		show(known[i]);
	printf("%d names\n", names("."));
	put("log", "a", "one more line\n");
	put("config", "w", "changed\n");
	put("new", "wx", "made\n");
	unlink("gone");
	rename("moved", "elsewhere");
	unlink("link");
	if (symlink("config", "link") < 0)
		return 3;
	unlink("sub/in");
	rmdir("sub");
	if (mkdir("made", 0700) < 0)
		return 3;
	put("made/a", "w", "a");
	put("made/b", "w", "b");
	chmod("config", 0600);
	truncate("short", 1);
	mkfifo("pipe", 0600);
	pthread_create(&t, NULL, work, NULL);
	pthread_create(&u, NULL, work, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
