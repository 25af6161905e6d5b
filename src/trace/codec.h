/*
 * The codec of trace blocks: turns slots of one thread into bytes and back. doc/trace-format.md
 * describes the layout, codec.c gives the reasons.
 *
 * Invariant: decode(encode(e)) == e, bit for bit, for any slots. Each block can be decoded alone:
 * the predictors start empty.
 */
#ifndef FR_TRACE_CODEC_H
#define FR_TRACE_CODEC_H

#include "format/event.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Limit of the slots of one block. */
#define FR_CODEC_MAX_SLOTS 4096
/* Bound on the bytes of the columns of n slots. */
#define FR_CODEC_BOUND(n) (16 + (n) * (size_t)(1 + 1 + 6 + 8 + 8 + 4) + 64)

struct fr_codec;
struct fr_codec *fr_codec_new(void);
void fr_codec_free(struct fr_codec *c);
/* Turns the processor-specific code off. For tests. */
void fr_codec_portable(struct fr_codec *c);

/* A block's payload, valid until the next call, and fields of struct fr_trace_block. */
struct fr_encoded {
	const uint8_t *payload;
	size_t length;
	uint32_t plain;
	uint32_t events; /* slots that are events of the program: no EXT, no structure */
	bool names;	 /* some slots define sites or names, for fr_units_scan */
	uint8_t codec;
};
/* Encodes n <= FR_CODEC_MAX_SLOTS slots. */
struct fr_encoded fr_codec_encode(struct fr_codec *c, const struct fr_event *e, uint32_t n);

/*
 * Decodes a payload into exactly n slots. Returns 0, or -EBADMSG for bytes that no encoder writes.
 * Safe on any input. Several threads may decode with one codec; they take turns.
 */
int fr_codec_decode(struct fr_codec *c, const uint8_t *payload, size_t length, uint8_t codec,
		    uint32_t plain, struct fr_event *ret, uint32_t n);

#endif
