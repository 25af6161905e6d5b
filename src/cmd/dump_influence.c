/* The graphs of influence as text: one node a line, then the nodes that it influences directly. */
#include "cmd/dump_influence.h"
#include "base/assert.h"
#include "base/escape.h"
#include "symbols/depends.h"
#include <inttypes.h>
#include <stdio.h>

static const char *const kind_text[] = {
    [FR_NODE_VALUE] = "value",	 [FR_NODE_EXECUTE] = "execute", [FR_NODE_PARAM] = "parameter",
    [FR_NODE_RESULT] = "result", [FR_NODE_CALLED] = "call",	[FR_NODE_JOIN] = "join",
    [FR_NODE_BRANCH] = "branch", [FR_NODE_USED] = "used"};
static const char *const use_text[] = {[FR_USE_OTHER] = "otherwise",
				       [FR_USE_ADDRESS] = "as an address",
				       [FR_USE_STORED] = "stored elsewhere",
				       [FR_USE_ARGUMENT] = "as an argument",
				       [FR_USE_RETURNED] = "returned"};

static void site_text(struct fr_buf *b, const struct fr_sites *s, uint32_t site)
{
	struct fr_site_info x = fr_sites_get(s, site);

	fr_buf_printf(b, " %s%s%s:%" PRIu32, x.name, *x.name ? "@" : "", x.file, x.line);
	if (x.access & FR_SITE_WAITS)
		fr_buf_puts(b, " (waits)");
}

static void node_text(struct fr_buf *b, const struct fr_sites *s, const struct fr_depends *u,
		      uint32_t k)
{
	struct fr_depends_node x = fr_depends_node(u, k);

	fr_assert(x.kind < fr_array_size(kind_text) && kind_text[x.kind]);
	fr_buf_puts(b, kind_text[x.kind]);
	if (x.kind == FR_NODE_JOIN)
		fr_buf_printf(b, " %" PRIu32, k);
	if (x.kind == FR_NODE_PARAM)
		fr_buf_printf(b, " %u%s of", x.arg, x.flags & FR_NODE_VARIADIC ? "..." : "");
	if (*x.function)
		fr_buf_printf(b, " %s", x.function);
	if (x.kind == FR_NODE_CALLED && !(x.flags & FR_NODE_DEFINED))
		fr_buf_puts(b, " (not defined here)");
	fr_assert(x.kind != FR_NODE_USED || x.arg < fr_array_size(use_text));
	if (x.kind == FR_NODE_USED)
		fr_buf_printf(b, " %s", use_text[x.arg]);
	if (x.site == FR_NODE_NOWHERE)
		return;
	site_text(b, s, x.site);
	if (x.nsites > 1) {
		fr_buf_puts(b, " to");
		site_text(b, s, x.site + x.nsites - 1);
	}
}

static void print_node(const struct fr_sites *s, const struct fr_depends *u, uint32_t k)
{
	struct fr_depends_node x = fr_depends_node(u, k);
	FR_CLEANUP(fr_buf_free) struct fr_buf b = {0};

	node_text(&b, s, u, k);
	fr_buf_puts(&b, " ->");
	for (uint32_t j = 0; j < x.n; j++) {
		struct fr_depends_edge e = fr_depends_edge(u, &x, j);

		fr_buf_puts(&b, j ? ", " : " ");
		node_text(&b, s, u, e.to);
		if (e.same)
			fr_buf_puts(&b, " (same address)");
		else if (e.near)
			fr_buf_printf(&b, " (%u hook%s later)", e.near, e.near > 1 ? "s" : "");
	}
	if (!x.n)
		fr_buf_puts(&b, " nothing");
	fr_escape_print(stdout, b.s, b.n);
	putchar('\n');
}

void fr_dump_influence(const struct fr_sites *s)
{
	struct fr_depends u;

	for (size_t i = 0; fr_depends_unit(s, i, &u); i++)
		for (uint32_t k = 0; k < u.nnodes; k++) {
			struct fr_depends_node x = fr_depends_node(&u, k);

			if (x.n || x.kind == FR_NODE_VALUE)
				print_node(s, &u, k);
		}
}
