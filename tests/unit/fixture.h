/*
 * The common parts of the unit tests: random numbers, scratch folders, events, and a simulated
 * program, which writes into the pool by the contract in format/pool.h.
 */
#ifndef FR_TESTS_FIXTURE_H
#define FR_TESTS_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the headers above */
#include <cmocka.h>

#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "format/event.h"
#include "format/pool.h"
#include "format/site_table.h"
#include "trace/run_info.h"
#include "symbols/sites.h"
#include "trace/writer.h"
#include <stdbool.h>
#include <string.h>

/* Repeatable random numbers. */
uint64_t fx_random(uint64_t *state);
/* A number from the environment, for tests whose size a user may choose. */
uint64_t fx_env(const char *name, uint64_t otherwise);

/* A fresh folder, as a new string; fx_remove takes all of it away. */
char *fx_folder(void);
void fx_remove(char *dir);
char *fx_path(const char *dir, const char *name);
/* A whole file, with one byte more that is 0. */
char *fx_read(const char *path, size_t *ret_n);
void fx_write(const char *path, const void *p, size_t n);

/* A valid site table with n sites: site i is file.c:i+1 in func, variable var. A new block of
 * memory. */
void *fx_blob(uint32_t n, size_t *ret_size);
/* Writes an ELF file whose only contents, at this address, are n bytes. */
void fx_elf(const char *path, const void *blob, size_t n, uint64_t vaddr);
/* The sites of fx_blob, with the numbers 1 to n. */
struct fr_sites *fx_sites(uint32_t n);

/*
 * A small but complete run folder: two threads, accesses, locks, frames, three blocks of the first
 * thread. Returns the number of events in it.
 */
uint64_t fx_run(const char *dir);

/* ---- a program that records itself ---- */

struct fx_thread {
	struct fr_pool *p;
	struct fr_pool_thread *t;
};
/* Attaches; false if another process has. */
bool fx_attach(struct fr_pool *p);
struct fx_thread fx_thread_new(struct fr_pool *p, uint32_t parent, uint32_t nth);
/* Writes n slots, in one block. False when recording has stopped. */
bool fx_put(struct fx_thread *t, const struct fr_event *e, unsigned n);
/* Hands the block over. */
void fx_close(struct fx_thread *t);
/* An access that can be recognised: the k-th of a thread. */
struct fr_event fx_event(uint32_t thread, uint64_t k);

#endif
