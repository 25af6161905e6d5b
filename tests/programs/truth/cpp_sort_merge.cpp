// A parallel merge sort by std::async.
#include <algorithm>
#include <future>
#include <vector>

static void sort_part(int *b, int *e, int depth)
{
	if (depth == 0 || e - b < 2) {
		std::sort(b, e);
		return;
	}
	int *mid = b + (e - b) / 2;
	auto f = std::async(std::launch::async, sort_part, b, mid, depth - 1);
	sort_part(mid, e, depth - 1);
	f.get();
	std::inplace_merge(b, mid, e);
}

int main()
{
	std::vector<int> v(64);
	for (int i = 0; i < 64; i++)
		v[i] = (i * 37) % 64;
	sort_part(v.data(), v.data() + 64, 2);
	return !std::is_sorted(v.begin(), v.end());
}
