// What accesses are called in C++: the test looks for each name.
#include <vector>
struct Base {
	int id;
	virtual ~Base();
};
struct Other {
	long o[4];
};
namespace space
{
template <class T> struct Queue : Base, Other {
	T *head;
	int n;
	static int all;
	void push(T t);
};
template <class T> int Queue<T>::all;
template <class T> __attribute__((noinline)) void Queue<T>::push(T t)
{
	head[n] = t;
	o[n & 3] = 1;
	id = 2;
	all = 3;
}
} // namespace space
space::Queue<int> q;
std::vector<int> v;
struct Point {
	int x, y;
};
void names(Point &r, const Point *c, int i)
{
	r.x = c->y;
	q.push(i);
	v[3] = 4;
	auto f = [&r](int k) { r.y = k; };
	f(i);
}
