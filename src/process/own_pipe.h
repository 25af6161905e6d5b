/*
 * Pipes that one process alone can write: a thread that reads from such a pipe waits for another
 * thread of its process.
 * Not known: pipes that a message in a socket carries, and processes whose descriptors this user
 * may not see. Then the pipe does not count as the process's own.
 */
#ifndef FR_PROCESS_OWN_PIPE_H
#define FR_PROCESS_OWN_PIPE_H

#include <stdbool.h>
#include <sys/types.h>

#define FR_PIPE_NAME 64

/* Reads the kernel's name of the pipe behind a descriptor. False: it is no pipe without a name. */
bool fr_pipe_name(pid_t pid, int fd, char ret[FR_PIPE_NAME]);
/* Does no process but this one have the pipe open, as far as this user may see, and is none hidden
   from the user? Looks at every process. */
bool fr_pipe_is_own(pid_t pid, const char *name);

#endif
