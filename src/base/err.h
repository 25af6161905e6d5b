/*
 * Errors. Library code returns 0 or -errno and fills a struct fr_err. Commands print it once.
 */
#ifndef FR_BASE_ERR_H
#define FR_BASE_ERR_H

struct fr_err {
	int code; /* negative errno, 0: none */
	char msg[1024];
};

/* Sets the message followed by ": " and the text of -code; returns code. `e` may be NULL. */
int fr_err_set(struct fr_err *e, int code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* The same without the text of the code: for errors in an input. */
int fr_err_say(struct fr_err *e, int code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#endif
