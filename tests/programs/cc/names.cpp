// What accesses are called in C++: the test looks for each name.
#include <tuple>
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
std::tuple<int, long> both;
struct Later {
	int stopping;
	auto stop()
	{
		return [this] { stopping = 1; };
	}
};
template <class T> T *made(T t);
void names(Point &r, const Point *c, int i)
{
	r.x = c->y;
	q.push(i);
	v[3] = 4;
	auto f = [&r](int k) { r.y = k; };
	f(i);
	std::get<1>(both) = i;
	*made<int>(i) = 2;
	*new int = 3;
}
void later(Later *l)
{
	l->stop()();
}
