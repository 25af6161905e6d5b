/* What the library in lazy.c offers, to be linked or loaded. */
#ifndef LAZY_H
#define LAZY_H

struct lazy {
	long a[8];
	double d[4];
	short half[4];
	char bytes[8];
};

#define LAZY_FUNCTIONS(X) \
	X(one_write) X(one_read) X(first_write) X(first_read) X(first_branch) X(doubles) X(calls)

/* Exported whatever -fvisibility says. */
#define X(n) __attribute__((visibility("default"))) unsigned long lazy_##n(struct lazy *s, long n);
LAZY_FUNCTIONS(X)
#undef X

#endif
