/*
 * The random number that libc stores in freed blocks, to notice that a block is freed twice. A
 * program that uses freed memory reads it. While a program is recorded or controlled, the number is
 * always the same, so that such a program does the same in each execution.
 */
#ifndef FRT_HEAP_KEY_H
#define FRT_HEAP_KEY_H

/* Replaces the number, if this allocator has one. Before any other thread. */
void frt_heap_key_fix(void);

#endif
