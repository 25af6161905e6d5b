/*
 * Links in which objects built with -fsanitize=thread take part.
 *
 * That interface tells of accesses that the compiler sees; those inside memcpy, strlen, read and
 * the like it leaves to a library that interposes them for the whole program. Here the calls of
 * such objects alone are sent to the runtime (frt_tsan_libc_*), in copies of the objects.
 */
#ifndef FR_CMD_TSAN_LINK_H
#define FR_CMD_TSAN_LINK_H

/*
 * argv: the command that links, ending with NULL. If an object or archive among its arguments was
 * built so, runs the command with copies and returns its exit status; else returns -1. Objects
 * that the linker finds by -l or in response files are linked as they are.
 */
int fr_tsan_link(char **argv);

#endif
