/*
 * For programs that test which bytes are recorded (touch.c): objects by name, and the ends of
 * segments. Both calls are opaque, so the compiler moves no access of an object over them.
 */
#ifdef __cplusplus
extern "C" {
#endif
/* From now on, accesses of these bytes are noted under this name. */
void touch_object(const char *name, const void *at, unsigned long size);
/* Prints the bytes that were read and written since the last call, and forgets them. */
void touch_end(const char *segment, long number);
/* A number that the compiler does not know. */
int touch_number(int n);
/* Writes small pseudo-random words, unrecorded. */
void touch_fill(void *at, unsigned long size, unsigned seed);
#ifdef __cplusplus
}
#endif
#define NOINLINE __attribute__((noinline))
