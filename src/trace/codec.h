/*
 * The columns of a block: how slots of one thread become bytes and back. doc/trace-format.md has
 * the layout; codec.c the reasons.
 *
 * Invariant: decode(encode(e)) == e for any slots whatever, bit for bit. Blocks stand alone: the
 * predictors start empty at each.
 */
#ifndef FR_TRACE_CODEC_H
#define FR_TRACE_CODEC_H

#include "format/event.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Slots that one block of the trace can hold. */
#define FR_CODEC_MAX_SLOTS 4096
/* Room that the columns of n slots need at most. */
#define FR_CODEC_BOUND(n) (16 + (n) * (size_t)(1 + 1 + 6 + 8 + 8 + 4) + 64)

struct fr_codec;
struct fr_codec *fr_codec_new(void);
void fr_codec_free(struct fr_codec *c);
/* From now on without the processor's special instructions: for tests. */
void fr_codec_portable(struct fr_codec *c);

/* A block's payload, valid until the next call, and what struct fr_trace_block wants to know. */
struct fr_encoded {
	const uint8_t *payload;
	size_t length;
	uint32_t plain;
	uint32_t events; /* slots that are events of the program: no EXT, no structure */
	bool names;	 /* some say what sites or names there are: see fr_units_scan */
	uint8_t codec;
};
/* Encodes n <= FR_CODEC_MAX_SLOTS slots. */
struct fr_encoded fr_codec_encode(struct fr_codec *c, const struct fr_event *e, uint32_t n);

/*
 * Decodes a payload into exactly n slots. 0, or -EBADMSG for bytes that no encoder has written.
 * Safe on any input.
 */
int fr_codec_decode(struct fr_codec *c, const uint8_t *payload, size_t length, uint8_t codec,
		    uint32_t plain, struct fr_event *ret, uint32_t n);

#endif
