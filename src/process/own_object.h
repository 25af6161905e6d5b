/*
 * Objects of the kernel that one process alone can use: a thread that waits for such an object
 * waits for another thread of its process.
 *
 * Decided:   pipes; UNIX sockets whose peer is known (UNIX_DIAG) and that have no timeout;
 *            eventfds of processes in which the kernel itself can write to none; epoll instances in
 *            which all descriptors are of the kinds above.
 * Not known: objects that a message in a socket carries, and processes whose descriptors this user
 *            may not see. Then the object does not count as the process's own. Nor does an object
 *            about which the kernel gives no answer.
 */
#ifndef FR_PROCESS_OWN_OBJECT_H
#define FR_PROCESS_OWN_OBJECT_H

#include <stdbool.h>
#include <sys/types.h>

/* May the object behind this descriptor be the process's own? Quick. */
bool fr_object_may_be_own(pid_t pid, int fd);
/* True if only this process has the object open, and this user may see the descriptors of all
   others. Looks at every process. */
bool fr_object_is_own(pid_t pid, int fd);

#endif
