/*
 * Nodes of std::map, std::set and std::list: libstdc++ links them in functions of its library. The
 * pass calls a hook before each call of such a function (src/pass/std_node.c). The hook records the
 * links that the function is about to read and write.
 *
 * Recorded exactly, except that a rotation counts as a write of the two nodes that it certainly
 * changes. Not recorded: how an erasure colours the tree afterwards; swap, reverse; the values.
 */
#include "format/hook_abi.h"
#include "runtime/core/rt.h"
#include <stddef.h>

struct frt_tree_node {
	int black; /* 0: it is red */
	struct frt_tree_node *parent, *left, *right;
};
struct frt_list_node {
	struct frt_list_node *next, *prev;
};

#define DEPTH_MAX 256 /* nodes that are visited: a tree that threads damage has no end */
#define READ(x) access(false, &(x), sizeof(x))
#define WROTE(x) access(true, &(x), sizeof(x))

static void access(bool write, const void *p, size_t n)
{
	struct frt_thread *t = frt_self;

	if (t)
		frt_range(t, write, p, n, frt_call_site(t));
}

/* ---- trees ---- */

/* The new node has a red parent: colours are changed towards the root, until a rotation. */
static void rebalances(const struct frt_tree_node *p, const struct frt_tree_node *header)
{
	const struct frt_tree_node *root = header->parent;

	READ(header->parent);
	for (unsigned i = 0; i < DEPTH_MAX && p && p != header; i++) {
		const struct frt_tree_node *above = p->parent, *uncle;

		READ(p->black);
		if (p->black || !above || above == header)
			return;
		READ(p->parent);
		uncle = p == above->left ? above->right : above->left;
		READ(above->left);
		if (p == above->left)
			READ(above->right);
		if (!uncle || uncle->black) {
			WROTE(*p);
			WROTE(*above);
			if (above == root)
				WROTE(header->parent);
			else if (above->parent && above->parent->left == above)
				WROTE(above->parent->left);
			else if (above->parent)
				WROTE(above->parent->right);
			return;
		}
		WROTE(p->black);
		WROTE(uncle->black);
		WROTE(above->black);
		p = above->parent;
		if (above == root)
			return;
	}
}

void frt_h_tree_insert(uint32_t left, const struct frt_tree_node *x, const struct frt_tree_node *p,
		       const struct frt_tree_node *header)
{
	if (!frt_self)
		return;
	WROTE(*x);
	if (p == header) {
		WROTE(header->parent);
		WROTE(header->left);
		WROTE(header->right);
		return;
	}
	if (left) {
		WROTE(p->left);
		READ(header->left);
		if (p == header->left)
			WROTE(header->left);
	} else {
		WROTE(p->right);
		READ(header->right);
		if (p == header->right)
			WROTE(header->right);
	}
	rebalances(p, header);
}

/* The link to z in its parent. */
static void unlinks(const struct frt_tree_node *z, const struct frt_tree_node *header)
{
	READ(header->parent);
	if (header->parent == z)
		WROTE(header->parent);
	else if (z->parent && z->parent->left == z)
		WROTE(z->parent->left);
	else if (z->parent)
		WROTE(z->parent->right);
}

void frt_h_tree_erase(const struct frt_tree_node *z, const struct frt_tree_node *header)
{
	const struct frt_tree_node *y = z, *x;

	if (!frt_self)
		return;
	READ(*z);
	if (z->left && z->right) {
		y = z->right;
		for (unsigned i = 0; i < DEPTH_MAX && y->left; i++) {
			READ(y->left);
			y = y->left;
		}
		x = y->right;
		READ(y->right);
		WROTE(z->left->parent);
		if (y != z->right) {
			WROTE(y->parent->left);
			WROTE(z->right->parent);
			if (x)
				WROTE(x->parent);
		}
		WROTE(*y);
		unlinks(z, header);
		return;
	}
	x = z->left ? z->left : z->right;
	if (x)
		WROTE(x->parent);
	unlinks(z, header);
	READ(header->left);
	READ(header->right);
	if (header->left == z)
		WROTE(header->left);
	if (header->right == z)
		WROTE(header->right);
}

static const struct frt_tree_node *child(const struct frt_tree_node *x, bool right)
{
	if (right)
		READ(x->right);
	else
		READ(x->left);
	return right ? x->right : x->left;
}

void frt_h_tree_step(const struct frt_tree_node *x, uint32_t forward)
{
	const struct frt_tree_node *y;

	if (!frt_self)
		return;
	if (!forward) { /* from the end */
		READ(x->black);
		READ(x->parent);
		if (!x->black && x->parent && x->parent->parent == x) {
			child(x, true);
			return;
		}
	}
	y = child(x, forward);
	if (y) {
		for (unsigned i = 0; i < DEPTH_MAX && y; i++)
			y = child(y, !forward);
		return;
	}
	READ(x->parent);
	y = x->parent;
	for (unsigned i = 0; i < DEPTH_MAX && y && x == child(y, forward); i++) {
		READ(y->parent);
		x = y;
		y = y->parent;
	}
}

/* ---- lists ---- */

void frt_h_list_hook(const struct frt_list_node *x, const struct frt_list_node *before)
{
	if (!frt_self)
		return;
	READ(before->prev);
	WROTE(*x);
	WROTE(before->prev->next);
	WROTE(before->prev);
}

void frt_h_list_unhook(const struct frt_list_node *x)
{
	if (!frt_self)
		return;
	READ(*x);
	WROTE(x->prev->next);
	WROTE(x->next->prev);
}

void frt_h_list_transfer(const struct frt_list_node *before, const struct frt_list_node *first,
			 const struct frt_list_node *last)
{
	if (!frt_self || before == last)
		return;
	WROTE(last->prev->next);
	WROTE(first->prev->next);
	WROTE(before->prev->next);
	WROTE(before->prev);
	WROTE(last->prev);
	WROTE(first->prev);
}
