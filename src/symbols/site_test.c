/* Evaluates tests of values: see format/site_table.h. */
#include "symbols/sites.h"

static uint64_t bits(uint64_t n)
{
	return n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}

static uint64_t sign_extend(uint64_t v, uint64_t n)
{
	v &= bits(n);
	return n && n < 64 && v >> (n - 1) & 1 ? v | ~bits(n) : v;
}

/* One step on v. before: the number before the first comparison with o. False: not understood. */
static bool step(char op, uint64_t n, uint64_t *v, uint64_t before)
{
	switch (op) {
	case '+':
		*v += n;
		return true;
	case '*':
		*v *= n;
		return true;
	case '&':
		*v &= n;
		return true;
	case '|':
		*v |= n;
		return true;
	case '^':
		*v ^= n;
		return true;
	case '<':
		*v = n < 64 ? *v << n : 0;
		return true;
	case '>':
		*v = n < 64 ? *v >> n : 0;
		return true;
	case '/':
	case '%':
		if (n)
			*v = op == '/' ? *v / n : *v % n;
		return n != 0;
	case 't':
		*v &= bits(n);
		return true;
	case 's':
		*v = sign_extend(*v, n);
		return true;
	case '=':
		*v = *v == n;
		return true;
	case 'l':
		*v = *v < n;
		return true;
	case 'L':
		*v = (int64_t)*v < (int64_t)n;
		return true;
	case 'g':
		*v = *v > n;
		return true;
	case 'G':
		*v = (int64_t)*v > (int64_t)n;
		return true;
	case 'o':
		*v = *v || before == n;
		return true;
	default:
		return false;
	}
}

bool fr_site_test(const char *test, uint64_t value, bool *ret_known)
{
	uint64_t before = 0;
	bool alternatives = false;

	*ret_known = false;
	while (*test) {
		char op = *test++, *end;
		uint64_t n = strtoull(test, &end, 16);

		if (end == test)
			return false;
		if (op == 'o' && !alternatives) {
			alternatives = true;
			before = value;
			value = 0;
		}
		if (!step(op, n, &value, before))
			return false;
		test = end;
		if (*test && *test++ != ' ')
			return false;
		*ret_known = !*test;
	}
	return *ret_known && value;
}
