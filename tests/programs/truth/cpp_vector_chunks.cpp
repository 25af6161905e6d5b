// Four threads fill disjoint parts of one vector.
#include <algorithm>
#include <thread>
#include <vector>

int main()
{
	std::vector<char> v(4000);
	std::vector<std::thread> ts;
	for (int i = 0; i < 4; i++)
		ts.emplace_back([&v, i] {
			std::fill(v.begin() + i * 1000, v.begin() + (i + 1) * 1000, char(i + 1));
		});
	for (auto &t : ts)
		t.join();
	return v[999] != 1 || v[1000] != 2 || v[3999] != 4;
}
