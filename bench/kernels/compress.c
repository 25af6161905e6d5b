/*
 * A block compressor: LZ77 with hash chains, then a canonical Huffman code over literals, lengths
 * and distances. SIZE is the input in KiB: the bytes of a file that every machine has (the C
 * library), over and over. Workers take 64 KiB blocks from a shared counter, compress, expand again
 * to verify, and put the result into the common output list. The checksum is over the compressed
 * bytes.
 *
 * KERNEL_INPUT names another file.
 */
#include "kernel_main.h"

#define BLOCK_BYTES 65536
#define HASH_BITS 13
#define WINDOW 32768
#define MIN_MATCH 4
#define MAX_MATCH 258
#define CHAIN 16
#define SYMBOLS 320 /* 256 literals, 32 length classes, 32 distance classes */
#define MAX_BITS 15

struct token {
	uint16_t length; /* 0: a literal */
	uint16_t distance;
	unsigned char literal;
};

struct bits {
	unsigned char *data;
	size_t used, capacity;
	uint64_t hold;
	unsigned held;
};

struct code {
	uint8_t length[SYMBOLS];
	uint16_t word[SYMBOLS];
};

struct encoder {
	int32_t head[1 << HASH_BITS];
	int32_t prev[BLOCK_BYTES];
	struct token token[BLOCK_BYTES];
	size_t tokens;
	uint32_t count[SYMBOLS];
	struct code code;
	unsigned char expanded[BLOCK_BYTES];
};

struct block {
	unsigned char *data;
	size_t size;
	struct block *next;
	long number;
};

static unsigned char *input;
static size_t input_size;

static struct {
	pthread_mutex_t lock;
	long next_block, blocks;
	struct block *done;
	size_t bytes_out;
} shared = {.lock = PTHREAD_MUTEX_INITIALIZER};

static long rounds;

/* ---- LZ77 ---- */

static unsigned hash4(const unsigned char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v * 2654435761u >> (32 - HASH_BITS);
}

static unsigned match_length(const unsigned char *a, const unsigned char *b, size_t limit)
{
	unsigned n = 0;

	while (n < limit && a[n] == b[n])
		n++;
	return n;
}

static unsigned find_match(const struct encoder *e, const unsigned char *in, size_t at, size_t size,
			   unsigned *distance)
{
	size_t limit = size - at < MAX_MATCH ? size - at : MAX_MATCH;
	unsigned best = 0;
	int32_t candidate = e->head[hash4(in + at)];

	for (int i = 0; i < CHAIN && candidate >= 0; i++) {
		unsigned n;

		if (at - (size_t)candidate >= WINDOW)
			break;
		n = match_length(in + candidate, in + at, limit);
		if (n > best) {
			best = n;
			*distance = (unsigned)(at - (size_t)candidate);
			if (n == limit)
				break;
		}
		candidate = e->prev[candidate];
	}
	return best >= MIN_MATCH ? best : 0;
}

static void insert_position(struct encoder *e, const unsigned char *in, size_t at)
{
	unsigned h = hash4(in + at);

	e->prev[at] = e->head[h];
	e->head[h] = (int32_t)at;
}

static void tokenize(struct encoder *e, const unsigned char *in, size_t size)
{
	size_t at = 0;

	memset(e->head, 0xff, sizeof(e->head));
	e->tokens = 0;
	while (at < size) {
		struct token *t = &e->token[e->tokens++];
		unsigned distance = 0, length = 0;

		if (at + MIN_MATCH <= size)
			length = find_match(e, in, at, size, &distance);
		t->length = (uint16_t)length;
		t->distance = (uint16_t)distance;
		t->literal = in[at];
		for (unsigned i = 0; i < (length ? length : 1); i++, at++) {
			if (at + MIN_MATCH <= size)
				insert_position(e, in, at);
		}
	}
}

/* ---- classes: the code of a number is the position of its top bit, then the bits below ---- */

static unsigned class_of(unsigned n)
{
	return n ? 32 - (unsigned)__builtin_clz(n) : 0;
}

/* ---- Huffman ---- */

/* Code lengths by repeated merging of the two lightest trees; halve the counts until they fit. */
static void build_lengths(uint32_t *count, uint8_t *length)
{
	uint32_t weight[2 * SYMBOLS];
	int parent[2 * SYMBOLS], live[SYMBOLS];

	for (;;) {
		int n = 0, next = SYMBOLS, deepest = 0;

		for (int s = 0; s < SYMBOLS; s++) {
			length[s] = 0;
			if (count[s]) {
				weight[s] = count[s];
				live[n++] = s;
			}
		}
		while (n > 1) {
			int a = 0, b = 1;

			if (weight[live[b]] < weight[live[a]]) {
				a = 1;
				b = 0;
			}
			for (int i = 2; i < n; i++) {
				if (weight[live[i]] < weight[live[a]]) {
					b = a;
					a = i;
				} else if (weight[live[i]] < weight[live[b]]) {
					b = i;
				}
			}
			weight[next] = weight[live[a]] + weight[live[b]];
			parent[live[a]] = parent[live[b]] = next;
			live[a < b ? a : b] = next++;
			live[a < b ? b : a] = live[--n];
		}
		for (int s = 0; s < SYMBOLS; s++) {
			int depth = 0;

			if (!count[s])
				continue;
			for (int t = s; t != next - 1; t = parent[t])
				depth++;
			length[s] = (uint8_t)(depth ? depth : 1);
			deepest = depth > deepest ? depth : deepest;
		}
		if (deepest <= MAX_BITS)
			return;
		for (int s = 0; s < SYMBOLS; s++)
			count[s] = count[s] ? count[s] / 2 + 1 : 0;
	}
}

static void assign_words(struct code *c)
{
	unsigned word = 0;

	for (int len = 1; len <= MAX_BITS; len++) {
		for (int s = 0; s < SYMBOLS; s++) {
			if (c->length[s] == len)
				c->word[s] = (uint16_t)word++;
		}
		word <<= 1;
	}
}

/* ---- bits ---- */

static void put_bits(struct bits *b, uint32_t value, unsigned n)
{
	b->hold = b->hold << n | value;
	b->held += n;
	while (b->held >= 8) {
		b->held -= 8;
		if (b->used == b->capacity) {
			b->capacity *= 2;
			b->data = realloc(b->data, b->capacity);
			if (!b->data)
				die("realloc");
		}
		b->data[b->used++] = (unsigned char)(b->hold >> b->held);
	}
}

static uint32_t get_bits(struct bits *b, unsigned n)
{
	while (b->held < n) {
		b->hold = b->hold << 8 | (b->used < b->capacity ? b->data[b->used] : 0);
		b->used++;
		b->held += 8;
	}
	b->held -= n;
	return (uint32_t)(b->hold >> b->held) & ((1u << n) - 1);
}

static void put_number(struct bits *out, const struct code *c, int base, unsigned n)
{
	unsigned k = class_of(n);

	put_bits(out, c->word[base + (int)k], c->length[base + (int)k]);
	if (k > 1)
		put_bits(out, n & ((1u << (k - 1)) - 1), k - 1);
}

/* ---- a block ---- */

static void encode_block(struct encoder *e, const unsigned char *in, size_t size, struct bits *out)
{
	tokenize(e, in, size);
	memset(e->count, 0, sizeof(e->count));
	for (size_t i = 0; i < e->tokens; i++) {
		const struct token *t = &e->token[i];

		if (t->length) {
			e->count[256 + class_of(t->length)]++;
			e->count[288 + class_of(t->distance)]++;
		} else {
			e->count[t->literal]++;
		}
	}
	build_lengths(e->count, e->code.length);
	assign_words(&e->code);
	for (int s = 0; s < SYMBOLS; s++)
		put_bits(out, e->code.length[s], 4);
	for (size_t i = 0; i < e->tokens; i++) {
		const struct token *t = &e->token[i];

		if (t->length) {
			put_number(out, &e->code, 256, t->length);
			put_number(out, &e->code, 288, t->distance);
		} else {
			put_bits(out, e->code.word[t->literal], e->code.length[t->literal]);
		}
	}
	put_bits(out, 0, 7);
}

struct decoder {
	uint16_t symbol[SYMBOLS];
	unsigned first[MAX_BITS + 2], start[MAX_BITS + 2], many[MAX_BITS + 2];
};

static void prepare_decoder(struct decoder *d, const uint8_t *length)
{
	unsigned word = 0, n = 0;

	for (unsigned len = 1; len <= MAX_BITS; len++) {
		d->first[len] = word;
		d->start[len] = n;
		for (int s = 0; s < SYMBOLS; s++) {
			if (length[s] == len)
				d->symbol[n++] = (uint16_t)s;
		}
		d->many[len] = n - d->start[len];
		word = (word + d->many[len]) << 1;
	}
}

static unsigned get_symbol(const struct decoder *d, struct bits *in)
{
	unsigned word = 0;

	for (unsigned len = 1; len <= MAX_BITS; len++) {
		word = word << 1 | get_bits(in, 1);
		if (word - d->first[len] < d->many[len])
			return d->symbol[d->start[len] + word - d->first[len]];
	}
	return 0;
}

static unsigned get_number(struct bits *in, unsigned k)
{
	return k > 1 ? 1u << (k - 1) | get_bits(in, k - 1) : k;
}

static void decode_block(struct bits *in, unsigned char *out, size_t size)
{
	uint8_t length[SYMBOLS];
	struct decoder d;
	size_t at = 0;

	for (int s = 0; s < SYMBOLS; s++)
		length[s] = (uint8_t)get_bits(in, 4);
	prepare_decoder(&d, length);
	while (at < size) {
		unsigned s = get_symbol(&d, in), n, distance;

		if (s < 256) {
			out[at++] = (unsigned char)s;
			continue;
		}
		n = get_number(in, s - 256);
		distance = get_number(in, get_symbol(&d, in) - 288);
		if (distance == 0 || distance > at || n > size - at)
			return;
		while (n--) {
			out[at] = out[at - distance];
			at++;
		}
	}
}

/* ---- workers ---- */

static long take_block(void)
{
	long n = -1;

	pthread_mutex_lock(&shared.lock);
	if (shared.next_block < shared.blocks)
		n = shared.next_block++;
	pthread_mutex_unlock(&shared.lock);
	return n;
}

static void put_block(struct block *b)
{
	pthread_mutex_lock(&shared.lock);
	b->next = shared.done;
	shared.done = b;
	shared.bytes_out += b->size;
	pthread_mutex_unlock(&shared.lock);
}

static void *worker(void *arg)
{
	struct encoder *e = allocate(sizeof(*e));
	long n;

	(void)arg;
	while ((n = take_block()) >= 0) {
		size_t at = (size_t)n * BLOCK_BYTES;
		size_t size = input_size - at < BLOCK_BYTES ? input_size - at : BLOCK_BYTES;
		struct bits out = {.data = allocate(4096), .capacity = 4096};
		struct bits in;
		struct block *b;

		encode_block(e, input + at, size, &out);
		in = (struct bits){.data = out.data, .capacity = out.used};
		decode_block(&in, e->expanded, size);
		if (memcmp(e->expanded, input + at, size) != 0) {
			fprintf(stderr, "compress: block %ld does not expand to its input\n", n);
			exit(1);
		}
		b = allocate(sizeof(*b));
		*b = (struct block){.data = out.data, .size = out.used, .number = n};
		put_block(b);
	}
	free(e);
	return NULL;
}

/* The file's bytes, repeated up to the size wanted. */
static void read_input(size_t want)
{
	static const char *const usual[] = {"/lib/x86_64-linux-gnu/libc.so.6",
					    "/lib/aarch64-linux-gnu/libc.so.6",
					    "/usr/lib64/libc.so.6", "/usr/lib/libc.so.6"};
	const char *named = getenv("KERNEL_INPUT");
	FILE *f = named ? fopen(named, "rb") : NULL;
	size_t got;

	for (size_t i = 0; !named && !f && i < sizeof(usual) / sizeof(usual[0]); i++)
		f = fopen(usual[i], "rb");
	if (!f)
		die("compress: input");
	input = allocate(want);
	got = fread(input, 1, want, f);
	fclose(f);
	if (got == 0) {
		fprintf(stderr, "compress: the input is empty\n");
		exit(1);
	}
	for (size_t i = got; i < want; i++)
		input[i] = input[i - got];
	input_size = want;
}

static uint64_t drain_blocks(void)
{
	uint64_t sum = 0;

	while (shared.done) {
		struct block *b = shared.done;
		uint64_t one = (uint64_t)b->number;

		for (size_t i = 0; i < b->size; i++)
			one = checksum_add(one, b->data[i]);
		sum += one;
		shared.done = b->next;
		free(b->data);
		free(b);
	}
	return sum;
}

int main(int argc, char **argv)
{
	struct options o = parse_options(argc, argv, 6144);
	uint64_t sum = 0;

	rounds = o.rounds;
	read_input((size_t)o.size * 1024);
	for (long r = 0; r < rounds; r++) {
		shared.next_block = 0;
		shared.blocks = (long)((input_size + BLOCK_BYTES - 1) / BLOCK_BYTES);
		run_threads(o.threads, worker, NULL, 0);
		sum = checksum_add(sum, drain_blocks());
	}
	printf("compress %016" PRIx64 " %zu\n", sum, shared.bytes_out);
	free(input);
	return 0;
}
