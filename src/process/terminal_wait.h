/*
 * Does a program ask for input from a terminal? Decided by state: a thread that sleeps in read,
 * poll, select or epoll_wait on the terminal asks for input. So does one that waits for a child
 * process that asks.
 */
#ifndef FR_PROCESS_TERMINAL_WAIT_H
#define FR_PROCESS_TERMINAL_WAIT_H

#include <stdint.h>
#include <sys/types.h>

enum fr_asks {
	FR_ASKS_NO,    /* it does not sleep, or waits for something else */
	FR_ASKS_MAYBE, /* it sleeps, and may look for input afterwards; or /proc does not tell */
	FR_ASKS_YES,
};

/* `terminal`: a descriptor of this process. */
enum fr_asks fr_thread_asks(pid_t pid, uint32_t tid, int terminal);

#endif
