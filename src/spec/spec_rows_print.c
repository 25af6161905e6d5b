/*
 * The canonical layout of patterns in rows: the rows in their order in the file, with the symbols
 * of an event in one column. A comment on a line of its own stays before the row that follows it,
 * and one at the end of a line stays there.
 *
 * Invariant: printing, parsing and printing again gives the same text.
 */
#include "spec/spec_lex.h"
#include <string.h>

#define NAME_WIDTH 3 /* of "SV" and the space after it */

struct rows_printer {
	const struct fr_spec *s;
	struct fr_buf *b;
	size_t comment; /* the next to print */
};

/* Prints the comments before this offset on lines of their own. */
static void comments_before(struct rows_printer *p, uint32_t offset)
{
	for (; p->comment < p->s->comment.n && p->s->comment.v[p->comment].pos.offset < offset;
	     p->comment++)
		fr_buf_printf(p->b, "%s\n", p->s->comment.v[p->comment].s);
}

/* Ends a line, with the comment at its end in the file. */
static void end_line(struct rows_printer *p, uint32_t line)
{
	if (p->comment < p->s->comment.n && p->s->comment.v[p->comment].pos.line == line)
		fr_buf_printf(p->b, " %s", p->s->comment.v[p->comment++].s);
	fr_buf_puts(p->b, "\n");
}

static void pad(struct fr_buf *b, size_t n)
{
	while (n--)
		fr_buf_puts(b, " ");
}

/* The columns that an event occupies, without the space before it; and its operator. */
static size_t width_of(const struct fr_rows *r, uint32_t i)
{
	size_t n = 0;

	for (enum fr_row row = 0; row < FR_ROW_COUNT; row++)
		if (r->cell[row][i])
			n = fr_max(n, strlen(r->cell[row][i]));
	return n;
}

static void print_row(struct rows_printer *p, const struct fr_rows *r, enum fr_row row)
{
	size_t spaces = NAME_WIDTH - strlen(fr_row_name[row]);

	fr_buf_puts(p->b, fr_row_name[row]);
	for (uint32_t i = 0; i < r->n; i++) {
		const char *op = row == FR_ROW_E ? r->op[i] : NULL;
		size_t between = r->op[i] ? strlen(r->op[i]) + 1 : 0;

		pad(p->b, spaces);
		if (op)
			fr_buf_printf(p->b, "%s ", op);
		else
			pad(p->b, between);
		fr_buf_puts(p->b, r->cell[row][i]);
		spaces = 1 + width_of(r, i) - strlen(r->cell[row][i]);
	}
	end_line(p, r->head[row].line);
}

/* The first row of the file after this offset that has not been printed, or FR_ROW_COUNT. */
static enum fr_row next_row(const struct fr_rows *r, uint32_t offset)
{
	enum fr_row best = FR_ROW_COUNT;

	for (enum fr_row row = 0; row < FR_ROW_COUNT; row++)
		if (r->head[row].line && r->head[row].offset > offset &&
		    (best == FR_ROW_COUNT || r->head[row].offset < r->head[best].offset))
			best = row;
	return best;
}

void fr_rows_print(const struct fr_spec *s, struct fr_buf *ret)
{
	struct rows_printer p = {.s = s, .b = ret};

	FR_VEC_FOREACH (r, &s->rows) {
		uint32_t at = (*r)->name.pos.offset;

		if (r != s->rows.v)
			fr_buf_puts(ret, "\n");
		comments_before(&p, at);
		fr_buf_printf(ret, "pattern %s", (*r)->name.s);
		end_line(&p, (*r)->name.pos.line);
		for (enum fr_row row; (row = next_row(*r, at)) != FR_ROW_COUNT;) {
			at = (*r)->head[row].offset;
			comments_before(&p, at);
			print_row(&p, *r, row);
		}
	}
	if (p.comment < s->comment.n)
		fr_buf_puts(ret, "\n");
	comments_before(&p, UINT32_MAX);
}
