// Copies of a shared_ptr in two threads; the last one destroys the object.
#include <cassert>
#include <memory>
#include <thread>
#include <vector>

static int destroyed;

struct thing {
	std::vector<int> v{1, 2, 3};
	~thing()
	{
		destroyed++;
	}
};

int main()
{
	{
		auto p = std::make_shared<thing>();
		std::weak_ptr<thing> w = p;
		std::thread a([p] { assert(p->v[1] == 2); });
		std::thread b([w] {
			if (auto q = w.lock())
				assert(q->v[2] == 3);
		});
		p.reset();
		a.join();
		b.join();
	}
	return destroyed != 1;
}
