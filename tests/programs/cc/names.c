/* What accesses are called: the test looks for each name. */
#include <stdlib.h>
#include <string.h>

struct node {
	struct node *next;
	struct {
		int x, y;
	} pos;
	union {
		int n;
		float f;
	};
	char buf[16];
	int grid[3][4];
	unsigned low : 4, high : 4;
};
struct queue {
	struct node *head, **tail;
	struct node inner;
};

struct queue queue;
static int counter;
int table[8];
_Thread_local int mine;
extern int elsewhere;
extern struct node *find(int k);

static inline void bump(int *p)
{
	*p += 1;
}

void names(struct node *conn, int **pp, int i, void *any)
{
	queue.head = conn;
	queue.head->next->pos.y = 1;
	conn->buf[i] = 2;
	conn[i].n = 3;
	conn->grid[i][2] = 4;
	**pp = 5;
	(*pp)[i] = 6;
	*queue.tail = conn;
	(*queue.tail)->pos.x = 7;
	table[i] = 8;
	mine = 9;
	elsewhere = 10;
	find(i)->pos.x = 11;
	conn->low = 12;
	memcpy(&queue.inner, conn, sizeof(*conn));
	memset(conn->buf, 0, sizeof(conn->buf));
	struct node *typed = any;
	typed->pos.x = 13;
	bump(&counter);
	__atomic_fetch_add(&queue.inner.n, 14, __ATOMIC_RELEASE);
}

int local(void (*keep)(int *))
{
	int seen = 1, hidden = 2;

	keep(&seen);
	hidden += seen;
	return hidden;
}
