/*
 * Links that contain objects built with -fsanitize=thread.
 *
 * That interface reports accesses that the compiler sees. It leaves those inside memcpy, strlen,
 * read and the like to a library that interposes them for the whole program. forerun redirects only
 * the calls of such objects to the runtime (frt_tsan_libc_*), in copies of the objects.
 */
#ifndef FR_CMD_TSAN_LINK_H
#define FR_CMD_TSAN_LINK_H

/* argv: the link command, ending with NULL. If an object or archive among its arguments was built
   with -fsanitize=thread, runs the command with copies and returns its exit status; otherwise
   returns -1. Objects that the linker finds by -l or in response files are linked unchanged. */
int fr_tsan_link(char **argv);

#endif
