/* Facts from /proc about a thread of another process. The process can end or change at any time. */
#ifndef FR_PROCESS_TASK_H
#define FR_PROCESS_TASK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define FR_TASK_TEXT 4096

/* Reads the beginning of /proc/PID/task/TID/FILE; "" = there is none. Returns `to`. */
const char *fr_task_file(pid_t pid, uint32_t tid, const char *file, char to[FR_TASK_TEXT]);

/* Returns the state letter, such as 'S'; 0 = no such thread. */
char fr_task_state(pid_t pid, uint32_t tid);
/* Does the thread sleep until something happens? State D, such as a slow disk, ends by itself. */
bool fr_task_asleep(pid_t pid, uint32_t tid);

/* Returns the next child process that the thread has started, 0 = no more. `text` is its file
   "children"; *at is 0 at first. */
pid_t fr_task_child(const char *text, size_t *at);

/* The system call in which a thread sleeps. */
struct fr_task_call {
	long number;
	uint64_t arg[6];
};
/* Returns 1 if it sleeps in a system call, 0 if it does not, -1 if /proc does not tell. */
int fr_task_call(pid_t pid, uint32_t tid, struct fr_task_call *ret);

/* Reads n bytes of the memory of a process. */
bool fr_task_memory(pid_t pid, uint64_t addr, void *to, size_t n);

#endif
