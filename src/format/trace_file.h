/*
 * The file `trace` of a run folder: a header, then blocks. Each block encodes events of one thread.
 * Only the recorder appends to it (trace/writer.c); trace/trace.c reads it. Blocks of one thread
 * are in the order of their `seq`, blocks of different threads in any order. The end block marks a
 * complete trace. doc/trace-format.md describes the encoding of a block's payload.
 */
#ifndef FR_FORMAT_TRACE_FILE_H
#define FR_FORMAT_TRACE_FILE_H

#include <stdint.h>

#define FR_TRACE_MAGIC "forerun trace\n\x1a" /* 15 bytes and a NUL */
#define FR_TRACE_VERSION 10
/* The oldest version that can be read. Version 3 only added FR_EV_INPUT, 4 FR_MEM_ANON,
   5 FR_INPUT_FILE and FR_INPUT_WRITE, 6 FR_INPUT_NAME, 7 FR_EV_FUTEX_*, 8 FR_SIGNAL_GAP,
   9 the senders of signals, 10 the descriptors of reads. */
#define FR_TRACE_OLDEST 2

struct fr_trace_header {
	char magic[16];
	uint32_t version;
	uint32_t event_size;
	uint64_t created_ns;
	uint8_t run_id[16]; /* random; the run folder's run.json repeats it */
	uint32_t pad;
	uint32_t check; /* CRC-32C of the bytes before */
};
_Static_assert(sizeof(struct fr_trace_header) == 56, "on-disk layout: bump FR_TRACE_VERSION");

enum fr_trace_block_type { FR_TRACE_BLOCK_EVENTS = 1, FR_TRACE_BLOCK_END = 2 };

struct fr_trace_block {
	uint32_t magic; /* FR_TRACE_BLOCK_MAGIC */
	uint8_t type;	/* enum fr_trace_block_type */
	uint8_t codec;	/* 0: columns, 1: columns compressed with zstd */
	uint16_t pad;
	uint32_t thread;
	uint32_t seq;
	uint32_t slots;		/* decoded events, EXT slots included */
	uint32_t plain;		/* bytes of the columns before zstd */
	uint32_t length;	/* bytes of payload that follow this header */
	uint32_t payload_check; /* CRC-32C of the payload */
	uint64_t first_hook;	/* hooks that the thread had executed before the first event */
	uint32_t pad2;
	uint32_t check; /* CRC-32C of this header before this field */
};
#define FR_TRACE_BLOCK_MAGIC 0x4b4c4246u /* "FBLK" */
_Static_assert(sizeof(struct fr_trace_block) == 48, "on-disk layout: bump FR_TRACE_VERSION");

/* Payload of the end block: this, then one fr_trace_end_thread for each thread, by id. */
struct fr_trace_end {
	uint32_t threads;
	uint32_t stop_errno; /* the error that stopped recording early, 0 = none */
	uint64_t slots;	     /* of all threads */
	uint64_t blocks;     /* blocks of events before this one */
};
struct fr_trace_end_thread {
	uint32_t id, parent, nth; /* as in struct fr_pool_thread */
	uint32_t blocks;
	uint64_t slots;
	uint64_t hooks; /* hooks that the thread executed */
};
_Static_assert(sizeof(struct fr_trace_end) == 24 && sizeof(struct fr_trace_end_thread) == 32,
	       "on-disk layout: bump FR_TRACE_VERSION");

#endif
