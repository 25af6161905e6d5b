/* Evaluates tests of values: see site_table.h. The pass and the tool both need it. */
#ifndef FR_FORMAT_SITE_TEST_H
#define FR_FORMAT_SITE_TEST_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

static inline uint64_t fr_site_test_bits(uint64_t n)
{
	return n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}

static inline uint64_t fr_site_test_signed(uint64_t v, uint64_t n)
{
	v &= fr_site_test_bits(n);
	return n && n < 64 && v >> (n - 1) & 1 ? v | ~fr_site_test_bits(n) : v;
}

/* One step on v. before: the number before the first comparison with o. False: not understood. */
static inline bool fr_site_test_step(char op, uint64_t n, uint64_t *v, uint64_t before)
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
		*v &= fr_site_test_bits(n);
		return true;
	case 's':
		*v = fr_site_test_signed(*v, n);
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

/* Returns whether the value, zero-extended, takes the failing side. *ret_known: false if the test
   is empty or not understood. */
static inline bool fr_site_test(const char *test, uint64_t value, bool *ret_known)
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
		if (!fr_site_test_step(op, n, &value, before))
			return false;
		test = end;
		if (*test && *test++ != ' ')
			return false;
		*ret_known = !*test;
	}
	return *ret_known && value;
}

#endif
