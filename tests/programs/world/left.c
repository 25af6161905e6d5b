/*
 * Files that the recorded run leaves behind make the next run fail. argv[1] names the kind of file.
 * Correct.
 */
#include "neighbour.h"
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <semaphore.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static int leave(const char *how, const char *name)
{
	char line[32] = "";
	FILE *f;

	if (!strcmp(how, "excl"))
		return open(name, O_CREAT | O_EXCL | O_WRONLY, 0600);
	if (!strcmp(how, "fopenx"))
		return fopen(name, "wx") ? 0 : -1;
	if (!strcmp(how, "mkdir"))
		return mkdir(name, 0700);
	if (!strcmp(how, "symlink"))
		return symlink("nowhere", name);
	if (!strcmp(how, "link"))
		return link("there", name);
	if (!strcmp(how, "mkfifo"))
		return mkfifo(name, 0600);
	if (!strcmp(how, "unlink"))
		return unlink(name);
	if (!strcmp(how, "rename"))
		return rename(name, "renamed");
	if (!strcmp(how, "append")) { /* it refuses a log that has lines already */
		f = fopen(name, "a");
		if (!f || fseek(f, 0, SEEK_END) || ftell(f))
			return -1;
		fputs("line\n", f);
		return fclose(f);
	}
	if (!strcmp(how, "count")) { /* a counter that must be 0 */
		f = fopen(name, "r+");
		if (!f || !fgets(line, sizeof(line), f) || atoi(line))
			return -1;
		rewind(f);
		fputs("1\n", f);
		return fclose(f);
	}
	if (!strcmp(how, "shm"))
		return shm_open(name, O_CREAT | O_EXCL | O_RDWR, 0600);
	if (!strcmp(how, "sem"))
		return sem_open(name, O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED ? -1 : 0;
	if (!strcmp(how, "mq"))
		return mq_open(name, O_CREAT | O_EXCL | O_RDWR, 0600, NULL);
	if (!strcmp(how, "sysv"))
		return shmget((key_t)atoi(name), 4096, IPC_CREAT | IPC_EXCL | 0600);
	if (!strcmp(how, "unix")) {
		struct sockaddr_un a = {.sun_family = AF_UNIX};

		strncpy(a.sun_path, name, sizeof(a.sun_path) - 1);
		return bind(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&a, sizeof(a));
	}
	return -1;
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	neighbours();
	if (leave(argv[1], argv[2]) < 0) {
		perror(argv[2]);
#ifdef ABORTS
		abort();
#endif
		return 1;
	}
	puts("done");
	return 0;
}
