/*
 * Accesses that an optimiser is tempted to invent, each in a function of its own (touch.h). c is a
 * condition, n a length; both take several values, none of which the compiler knows.
 */
#include "touch.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct two { int a, b; };
struct three { int a, b, c; };
struct mixed { char a; int b; short c; long d; };
struct bits { unsigned char before; unsigned f : 3, g : 7; unsigned char after; unsigned h : 9, : 0; unsigned i : 4; };
struct node { struct node *next; int key, value; };
struct pixel { unsigned char r, g, b, alpha; };

int g, h, k, out;
static int hidden = 1;
atomic_int ready;
int array[64], other[64], index_of[64];
char bytes[64], text[16] = "abc";
short shorts[64];
float floats[64];
double doubles[64];
struct two pairs[64];
struct three triples[64];
struct mixed mix[16];
struct bits flags[4];
struct pixel image[64];
struct node nodes[4];
int matrix[16][16];
int *heap, *heap2, *start;

#define S(name) NOINLINE static void name(int c, int n)
#define LOOP(i) for (int i = 0; i < n; i++)

/* ---- conditional loads ---- */
S(load_or_constant) { out = c & 1 ? g : 7; (void)n; }
S(load_published) { out = atomic_load_explicit(&ready, memory_order_acquire) & c ? g : -1; (void)n; }
S(load_either) { out = c & 1 ? g : h; (void)n; }
S(load_and_load) { out = (c & 1) && g && h; (void)n; }
S(load_or_load) { out = (c & 1) || g > 200 || h; (void)n; }
S(load_nested) { out = c & 1 ? (c & 2 ? g : h) : (c & 4 ? k : 3); (void)n; }
S(load_in_switch)
{
	(void)n;
	switch (c) {
	case 0: out = g; break;
	case 1: out = h; break;
	case 2: out = g + 1; break;
	case 3: out = k; break;
	default: out = 5;
	}
}
S(load_static) { out = c & 1 ? hidden : n; }
S(load_member) { struct mixed *m = &mix[n & 15]; out = c & 1 ? m->b : m->c; }
S(load_if_pointer) { int *p = c & 1 ? heap : NULL; out = p ? p[3] : n; }
S(load_if_both) { struct node *p = c & 1 ? &nodes[0] : NULL; out = p && p->key && p->next ? p->next->value : n; }
S(load_partly_redundant) { int x = 0; if (c & 1) x = g; if (n & 1) x += g; out = x; }
S(load_after_branch) { int x = c & 1 ? g : 0; if (n > 3) x += h; else x -= h; out = x; }
S(load_guarded_twice) { if (c & 1) { if (n > 2) out = g; else out = h; } }

/* ---- selected addresses ---- */
S(select_globals) { int *p = c & 1 ? &g : &h; out = *p; (void)n; }
S(select_global_or_local) { int l = n; int *p = c & 1 ? &g : &l; out = *p; }
S(select_locals) { int a = n, b = n + 1; touch_object("a", &a, sizeof(a)); touch_object("b", &b, sizeof(b)); int *p = c & 1 ? &a : &b; out = *p; touch_object("a", &g, 0); touch_object("b", &g, 0); }
S(select_heap) { int *p = c & 1 ? heap + 2 : heap2 + 2; out = *p; (void)n; }
S(select_elements) { int *p = c & 1 ? &array[5] : &other[n & 63]; out = *p; }
S(select_members) { int *p = c & 1 ? &pairs[n & 63].a : &pairs[n & 63].b; out = *p; }
S(select_by_branches) { int *p = &g; if (c & 1) p = &h; if (c & 2) p = &k; out = *p; (void)n; }
S(select_store) { int *p = c & 1 ? &g : &h; *p = n; }
S(select_local_store) { int l = 0; int *p = c & 1 ? &g : &l; *p = n; out = l; }
S(select_in_loop) { int s = 0; LOOP(i) { int *p = i & c ? &array[i] : &other[i]; s += *p; } out = s; }
S(select_then_load) { int *p = c & 1 ? &g : &h; int x = *p; if (n & 1) x += g; out = x; }
static int smaller(const int *a, const int *b, int c) { const int *p = c & 1 ? a : b; return *p; }
S(select_inlined) { out = smaller(&g, &h, c) + smaller(&array[3], &n, c); }
S(select_struct) { struct mixed *p = c & 1 ? &mix[0] : &mix[1]; struct mixed m = *p; out = m.b + (int)m.d; (void)n; }
S(select_two_loads) { int *p = c & 1 ? &array[1] : &array[9]; out = p[0] + (n & 1 ? p[2] : 0); }

/* ---- arguments ---- */
NOINLINE static int by_pointer(const int *p, int c) { return c & 1 ? *p : 1; }
S(argument_conditional) { out = by_pointer(&g, c) + by_pointer(&array[4], n); }
NOINLINE static int by_member(const struct mixed *m, int c) { if (c & 2) return m->b; return c & 1 ? (int)m->d : 0; }
S(argument_member) { out = by_member(&mix[2], c) + by_member(&mix[n & 15], c); }
NOINLINE static int walk(const struct node *p, int c) { return c <= 0 || !p ? 0 : p->value + walk(p->next, c - 1); }
S(argument_recursive) { out = walk(&nodes[0], c & 3) + n; }
__attribute__((always_inline)) static inline int always(const int *p, int c) { return c & 1 ? *p : 2; }
S(argument_always_inline) { out = always(&g, c) + always(&h, n); }
__attribute__((no_sanitize("thread"))) static int unsanitized(const int *p, int c) { return c & 1 ? *p : 3; }
S(argument_no_sanitize) { out = unsanitized(&g, c) + n; }

/* ---- loops: hoisting and promotion ---- */
S(hoist_invariant) { int s = 0; LOOP(i) s += g * i; out = s; (void)c; }
S(hoist_conditional) { int s = 0; LOOP(i) if (i == c) s += g; out = s; }
S(hoist_after_exit) { int s = 0; LOOP(i) { if (array[i] > 100) break; s += g; } out = s + c; }
S(hoist_never) { int s = 0; LOOP(i) { s += i; if (c & 8) s += h; } out = s; }
S(hoist_through_pointer) { int *p = heap; int s = 0; LOOP(i) if (bytes[i]) s += p[5]; out = s + c; }
S(promote_store) { LOOP(i) if (array[i] & 1) g++; (void)c; }
S(promote_condition) { LOOP(i) if (i == c) h = i; }
S(promote_flag) { int found = 0; LOOP(i) if (array[i] == c) found = 1; if (found) k = 1; }
S(promote_break) { LOOP(i) { if (bytes[i] == c) break; g += i; } }
S(promote_element) { LOOP(i) if (shorts[i] > 60) array[7] += i; (void)c; }
S(promote_inner) { LOOP(i) for (int j = 0; j < (c & 3); j++) matrix[i & 15][3] += j; }
S(spin_then_load) { int spins = 0; while (!(atomic_load_explicit(&ready, memory_order_acquire) | (++spins > n))) ; if (spins <= n) out = g; (void)c; }

/* ---- stores ---- */
S(store_if) { if (c & 1) g = n; }
S(store_if_different) { if (g != n) g = n; (void)c; }
S(store_if_loaded) { int x = g; if (c & 1) g = x + n; else out = x; }
S(store_after_store) { g = 1; if (c & 1) g = n; }
S(store_either) { if (c & 1) g = n; else h = n; }
S(store_in_switch) { switch (c) { case 0: g = n; break; case 1: h = n; break; case 2: array[2] = n; break; default: ; } }
S(store_neighbours) { bytes[0] = 1; bytes[1] = 2; if (c & 1) bytes[2] = 3; bytes[3] = (char)n; }
S(store_with_gap) { struct mixed *m = &mix[n & 15]; m->a = 1; m->b = 0; m->d = 0; (void)c; }
S(store_bit_field) { struct bits *b = &flags[n & 3]; if (c & 1) b->f = 1; b->g = 5; }
S(store_next_to_bit_field) { flags[n & 3].after = (unsigned char)c; }
S(store_bit_field_unit) { flags[n & 3].i = (unsigned)c; out = flags[n & 3].before; }
S(store_struct) { if (c & 1) mix[n & 15] = mix[0]; }
S(store_part_of_struct) { struct mixed m = mix[0]; m.b = c; mix[n & 15].b = m.b; mix[n & 15].c = m.c; }

/* ---- vectors ---- */
S(gap_read) { int s = 0; LOOP(i) s += pairs[i].a; out = s + c; }
S(gap_read_all) { int s = 0; for (int i = 0; i < 64; i++) s += pairs[i].b; out = s + c + n; }
S(gap_write) { LOOP(i) pairs[i].a = i + c; }
S(gap_three) { int s = 0; LOOP(i) s += triples[i].a + triples[i].c; out = s + c; }
S(gap_three_write) { LOOP(i) { triples[i].a = c; triples[i].b = i; } }
S(gap_copy) { LOOP(i) { pairs[i].a = triples[i].b; } (void)c; }
S(gap_pixel) { LOOP(i) { image[i].r = image[i].g; image[i].b = (unsigned char)c; } }
S(gap_stride) { int s = 0; for (int i = 0; i < n; i += 3) s += array[i]; out = s + c; }
S(gap_stride_write) { for (int i = 0; i < n; i += 2) array[i] = c; }
S(gap_bit_field) { int s = 0; for (int i = 0; i < (n & 3); i++) s += (int)flags[i].g; out = s + c; }
S(masked_read) { int s = 0; LOOP(i) if (bytes[i] & 1) s += array[i]; out = s + c; }
S(masked_read_fixed) { int s = 0; for (int i = 0; i < 64; i++) if (bytes[i] & 1) s += array[i]; out = s + c + n; }
S(masked_read_few) { int s = 0; for (int i = 0; i < 8; i++) if (bytes[i] & 1) s += array[i]; out = s + c + n; }
S(masked_write) { LOOP(i) if (shorts[i] > 50) array[i] = c; }
S(masked_write_fixed) { for (int i = 0; i < 64; i++) if (array[i] > 50) other[i] = c; (void)n; }
S(masked_both) { LOOP(i) if (array[i] & 2) other[i] += array[i]; (void)c; }
S(masked_choice) { LOOP(i) out += bytes[i] & 4 ? array[i] : other[i]; (void)c; }
S(masked_store_choice) { LOOP(i) if (bytes[i] & 4) array[i] = c; else other[i] = c; }
S(masked_float) { float s = 0; LOOP(i) if (bytes[i] & 1) s += floats[i]; out = (int)s + c; }
S(masked_double) { LOOP(i) doubles[i] = bytes[i] & 1 ? doubles[(i + 1) & 63] : 0.5; (void)c; }
S(masked_invariant) { int s = 0; LOOP(i) if (bytes[i] & 1) s += h; out = s + c; }
S(gather) { int s = 0; LOOP(i) s += array[index_of[i] & 63]; out = s + c; }
S(gather_masked) { int s = 0; LOOP(i) if (bytes[i] & 1) s += array[index_of[i] & 63]; out = s + c; }
S(scatter_masked) { LOOP(i) if (bytes[i] & 2) other[index_of[i] & 63] = c; }
S(search) { int i = 0; while (i < n && array[i] != c) i++; out = i; }
S(search_bytes) { int i = 0; while (i < 63 && bytes[i] != (char)c) i++; out = i + n; }
S(search_two) { int i; for (i = 0; i < n; i++) { if (array[i] == c) break; if (other[i] == c) break; } out = i; }
S(reduce_float) { float s = 0; LOOP(i) s += floats[i] * floats[63 - i]; out = (int)s + c; }
S(reverse) { for (int i = n; i-- > 0;) array[i] = other[i] + c; }
S(reverse_gap) { int s = 0; for (int i = n; i-- > 0;) s += pairs[i].b; out = s + c; }
S(block) { for (int i = 0; i < (n & 15); i++) for (int j = 2; j < 7; j++) matrix[i][j] += c; }
S(nest_guarded) { for (int i = 0; i < 6; i++) for (int j = 0; j < (c & 3); j++) array[i * 4 + j] = start[j]; (void)n; }
S(nest_guarded_else) { for (int i = 0; i < 6; i++) if (c & 4) array[i] = n; else for (int j = 0; j < 5; j++) array[i * 4 + j] += start[j]; }
S(nest_guarded_twice) { for (int k = 0; k < (n & 3); k++) for (int i = 0; i < n % 5; i++) for (int j = 0; j < (c & 3); j++) matrix[i][j] = start[j + k]; }
S(nest_changed) { for (int i = 0; i < 4; i++) for (int j = 0; j < (c & 3); j++) { out += start[j]; start = other + i; } (void)n; }
S(triangle) { for (int i = 0; i < (n & 15); i++) for (int j = 0; j < i; j++) matrix[i][j] = c; }
S(column) { for (int i = 0; i < (n & 15); i++) matrix[i][c & 15] = i; }
S(straight_line) { out = array[0] + array[1] + array[2] + (c & 1 ? array[3] : 0) + n; }
S(straight_gap) { array[8] = other[8]; array[9] = other[9]; array[11] = other[11]; (void)c, (void)n; }
S(straight_pairs) { int x = pairs[0].a + pairs[1].a + pairs[2].a + pairs[3].a; out = x + c + n; }
S(fill) { LOOP(i) array[i] = 0; (void)c; }
S(fill_condition) { LOOP(i) { if (i == c + 4) break; bytes[i] = 0; } }
S(copy) { LOOP(i) array[i] = other[i]; (void)c; }
S(copy_until) { int i = 0; while (i < n && bytes[i]) { text[i & 15] = bytes[i]; i++; } (void)c; }

/* ---- library ---- */
S(compare_bytes) { out = !memcmp(bytes, text, 8) + c + n; }
S(compare_long) { out = memcmp(bytes, bytes + 32, 16) > 0; (void)c, (void)n; }
S(compare_text) { out = !strcmp(text, "abcdefg") + c + n; }
S(compare_prefix) { out = !strncmp(text, "abx", 3) + c + n; }
S(text_empty) { out = !strlen(text) + c + n; }
S(text_length) { text[c & 3] = 0; out = (int)strlen(text) + n; }
S(find_byte) { out = memchr(text, 'b', 16) != NULL; (void)c, (void)n; }
S(find_char) { out = strchr(text, 'b') != NULL; (void)c, (void)n; }
S(copy_fixed) { if (c & 1) memcpy(&array[4], &other[n & 31], 24); }
S(clear_fixed) { if (c & 1) memset(&array[n & 31], 0, 12); }

static const struct { const char *name; void (*run)(int, int); } all[] = {
#define X(f) {#f, f}
	X(load_or_constant), X(load_published), X(load_either), X(load_and_load), X(load_or_load), X(load_nested), X(load_in_switch), X(load_static),
	X(load_member), X(load_if_pointer), X(load_if_both), X(load_partly_redundant), X(load_after_branch), X(load_guarded_twice),
	X(select_globals), X(select_global_or_local), X(select_locals), X(select_heap), X(select_elements), X(select_members), X(select_by_branches),
	X(select_store), X(select_local_store), X(select_in_loop), X(select_then_load), X(select_inlined), X(select_struct), X(select_two_loads),
	X(argument_conditional), X(argument_member), X(argument_recursive), X(argument_always_inline), X(argument_no_sanitize),
	X(hoist_invariant), X(hoist_conditional), X(hoist_after_exit), X(hoist_never), X(hoist_through_pointer), X(promote_store), X(promote_condition),
	X(promote_flag), X(promote_break), X(promote_element), X(promote_inner), X(spin_then_load),
	X(store_if), X(store_if_different), X(store_if_loaded), X(store_after_store), X(store_either), X(store_in_switch), X(store_neighbours), X(store_with_gap),
	X(store_bit_field), X(store_next_to_bit_field), X(store_bit_field_unit), X(store_struct), X(store_part_of_struct),
	X(gap_read), X(gap_read_all), X(gap_write), X(gap_three), X(gap_three_write), X(gap_copy), X(gap_pixel), X(gap_stride), X(gap_stride_write), X(gap_bit_field),
	X(masked_read), X(masked_read_fixed), X(masked_read_few), X(masked_write), X(masked_write_fixed), X(masked_both), X(masked_choice), X(masked_store_choice),
	X(masked_float), X(masked_double), X(masked_invariant), X(gather), X(gather_masked), X(scatter_masked), X(search), X(search_bytes), X(search_two),
	X(reduce_float), X(reverse), X(reverse_gap), X(block), X(nest_guarded), X(nest_guarded_else), X(nest_guarded_twice), X(nest_changed),
	X(triangle), X(column), X(straight_line), X(straight_gap), X(straight_pairs), X(fill), X(fill_condition),
	X(copy), X(copy_until), X(compare_bytes), X(compare_long), X(compare_text), X(compare_prefix), X(text_empty), X(text_length), X(find_byte), X(find_char),
	X(copy_fixed), X(clear_fixed),
#undef X
};

static void fresh(unsigned seed)
{
#define X(o) touch_fill(&o, sizeof(o), seed++);
	X(g) X(h) X(k) X(hidden) X(array) X(other) X(index_of) X(bytes) X(shorts) X(pairs) X(triples) X(mix) X(image) X(matrix) X(flags)
#undef X
	start = other;
	touch_fill(heap, 64, seed);
	touch_fill(heap2, 64, seed + 1);
	for (int i = 0; i < 64; i++) {
		bytes[i] = (char)(array[i] & 7);
		shorts[i] = (short)other[i];
		floats[i] = (float)i;
		doubles[i] = i;
	}
	for (int i = 0; i < 4; i++)
		nodes[i] = (struct node){i < 3 ? &nodes[i + 1] : NULL, i, i * 2};
	memcpy(text, seed & 1 ? "abc\0efg\0xxxxxxx" : "abcdefg\0xxxxxxx", 16);
	atomic_store(&ready, seed >> 1 & 1);
	touch_end("fresh", 0);
}

int main(void)
{
	heap = malloc(64);
	heap2 = malloc(64);
#define X(o) touch_object(#o, &o, sizeof(o));
	X(g) X(h) X(k) X(out) X(hidden) X(array) X(other) X(index_of) X(bytes) X(text) X(shorts) X(floats) X(doubles) X(pairs) X(triples) X(mix) X(flags)
	X(image) X(nodes) X(matrix) X(start)
#undef X
	touch_object("heap", heap, 64);
	touch_object("heap2", heap2, 64);
	for (unsigned s = 0; s < sizeof(all) / sizeof(*all); s++)
		for (int i = 0; i < 24; i++) {
			fresh(s * 100 + (unsigned)i);
			all[s].run(touch_number(i % 8), touch_number((i * 13) % 64));
			touch_end(all[s].name, i);
		}
	return 0;
}
