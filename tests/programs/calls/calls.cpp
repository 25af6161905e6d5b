/* Calls of C++ that the option calls names: methods, templates, operators, exceptions. */
#include <stdexcept>

namespace ns
{
struct queue {
	int n;
	int push(int v, unsigned short w)
	{
		n += v;
		return n * (int)w;
	}
	virtual void poll(bool b);
	long operator()(long x) const
	{
		return x + n;
	}
	virtual ~queue();
};
queue::~queue()
{
	n = -1;
}
void queue::poll(bool b)
{
	n += b;
}
int thrower(int x)
{
	if (x > 2)
		throw std::runtime_error("x");
	return x;
}
int cleaner(int x)
{
	queue q{};

	return thrower(x) + q.n;
}
template <class T> T twice(T x)
{
	return x + x;
}
enum class color : unsigned char { red = 200 };
color same(color c, const int &r)
{
	return r ? c : color::red;
}
} // namespace ns
static int skipped(int v)
{
	return v;
}

int main()
{
	ns::queue q{};
	ns::queue *volatile p = &q;

	q.push(-3, 2);
	q(4);
	p->poll(true);
	ns::cleaner(1);
	try {
		ns::cleaner(3);
	} catch (std::exception &e) {
	}
	ns::twice<long>(-21);
	ns::twice<double>(0.5);
	ns::same(ns::color::red, q.n);
	return skipped(0);
}
