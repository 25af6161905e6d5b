/* Models from text: script.h. */
#include "script.h"
#include <stdio.h>
#include <string.h>

static const struct {
	const char *name;
	enum fr_op op;
} short_op[] = {
    {"r", FR_OP_READ},
    {"w", FR_OP_WRITE},
    {"acq", FR_OP_ACQUIRE},
    {"rel", FR_OP_RELEASE},
    {"acqs", FR_OP_ACQUIRE_SHARED},
    {"rels", FR_OP_RELEASE_SHARED},
    {"fail", FR_OP_ACQUIRE_FAILED},
    {"fails", FR_OP_ACQUIRE_SHARED_FAILED},
    {"begin", FR_OP_WAIT_BEGIN},
    {"sig", FR_OP_SIGNAL},
    {"bcast", FR_OP_BROADCAST},
    {"swait", FR_OP_SEM_WAIT},
    {"post", FR_OP_SEM_POST},
    {"sfail", FR_OP_SEM_FAILED},
    {"enter", FR_OP_BARRIER_ENTER},
    {"leave", FR_OP_BARRIER_LEAVE},
};

struct script {
	struct fr_builder *b;
	char name[FR_C_COUNT][32][16];
	uint32_t n[FR_C_COUNT], threads;
	int line;
	const char *text;
};

static void bad(const struct script *s, const char *why, const char *what)
{
	fprintf(stderr, "script, event %d: %s '%s' in:\n%s\n", s->line, why, what, s->text);
	abort();
}

static enum fr_op find_op(const struct script *s, const char *word)
{
	for (size_t i = 0; i < fr_array_size(short_op); i++)
		if (!strcmp(word, short_op[i].name))
			return short_op[i].op;
	for (unsigned i = 0; i < FR_OP_COUNT; i++)
		if (!strcmp(word, fr_op_name[i]))
			return i;
	bad(s, "no such operation", word);
	return 0;
}

static uint32_t find_obj(struct script *s, enum fr_class c, char *word)
{
	char *count = strchr(word, ':');
	uint32_t n = count ? (uint32_t)strtoul(count + 1, NULL, 0) : 0, i;

	if (count)
		*count = 0;
	if (c == FR_C_THREAD || c == FR_C_MARK)
		return (uint32_t)strtoul(word, NULL, 0);
	for (i = 0; i < s->n[c]; i++)
		if (!strcmp(s->name[c][i], word))
			return i;
	if (i == 32 || strlen(word) > 15)
		bad(s, "too many or too long", word);
	strcpy(s->name[c][i], word);
	s->n[c]++;
	return fr_builder_obj(s->b, c, (struct fr_mobj){.count = n, .addr = 8 * i});
}

static void add(struct script *s, char *text)
{
	struct fr_mev e = {.mask = 0, .site = (unsigned)s->line & 0x3fffff};
	char *save, *word = strtok_r(text, " \t", &save);

	if (!word)
		return;
	e.thread = (uint16_t)strtoul(word, NULL, 0);
	e.site = (unsigned)++s->line & 0x3fffff;
	word = strtok_r(NULL, " \t", &save);
	if (!word)
		bad(s, "no operation", "");
	e.op = (uint8_t)find_op(s, word);
	if (fr_is_access(&e))
		e.mask = 0xff;
	if (e.op == FR_OP_ACQUIRE || e.op == FR_OP_ACQUIRE_SHARED || e.op == FR_OP_JOIN)
		e.flags |= FR_F_BLOCKING;
	if (e.op == FR_OP_WAIT_BEGIN)
		e.flags |= FR_F_PART;
	if (e.op == FR_OP_START || e.op == FR_OP_EXIT)
		e.obj = e.thread;
	while ((word = strtok_r(NULL, " \t", &save))) {
		if (*word == '=')
			e.value = strtoull(word + 1, NULL, 0);
		else if (*word == '/')
			e.mask = (uint8_t)strtoul(word + 1, NULL, 0);
		else if (*word == '@')
			e.site = (unsigned)strtoul(word + 1, NULL, 0) & 0x3fffff;
		else if (!strcmp(word, "+"))
			e.flags |= FR_F_PART;
		else if (!strcmp(word, "atomic"))
			e.flags |= FR_F_ATOMIC;
		else if (!strcmp(word, "novalue"))
			e.flags |= FR_F_NOVALUE;
		else if (!strcmp(word, "timeout"))
			e.flags |= FR_F_TIMEOUT;
		else if (!strcmp(word, "benign"))
			e.flags |= FR_F_BENIGN;
		else if (!strcmp(word, "forever"))
			e.flags |= FR_F_BLOCKING;
		else if (!strcmp(word, "try"))
			e.flags &= ~(unsigned)FR_F_BLOCKING & 0x3ff;
		else
			e.obj = find_obj(s, fr_op_class[e.op], word);
	}
	for (; s->threads <= e.thread || (fr_op_class[e.op] == FR_C_THREAD && s->threads <= e.obj);
	     s->threads++) {
		char path[16];

		snprintf(path, sizeof(path), "%u", s->threads);
		fr_builder_thread(s->b, path, s->threads);
	}
	fr_builder_add(s->b, &e, (uint64_t)s->line);
}

struct fr_model *fr_script(const char *text)
{
	struct script s = {.b = fr_builder_new(), .text = text};
	char *copy = fr_xstrdup(text), *save;
	struct fr_model *m;
	struct fr_err err;

	for (char *l = strtok_r(copy, ";\n", &save); l; l = strtok_r(NULL, ";\n", &save))
		add(&s, l);
	free(copy);
	m = fr_builder_finish(s.b);
	if (fr_model_validate(m, NULL, &err) < 0)
		bad(&s, err.msg, "");
	return m;
}

fr_ev fr_script_ev(const struct fr_model *m, uint32_t site, uint32_t nth)
{
	for (fr_ev e = 0; e < m->n; e++)
		if (m->ev[e].site == site && !nth--)
			return e;
	abort();
}
