/*
 * std::async tasks share a result by shared_ptr; the last one frees it.
 */
#include "truth.h"
#include <future>
#include <memory>
#include <vector>
int main()
{
	std::vector<std::future<int>> all;
	{
		auto data = std::make_shared<std::vector<int>>(10, 3);

		for (int i = 0; i < 3; i++)
			all.push_back(
			    std::async(std::launch::async, [data, i] { return (*data)[i] * i; }));
	}
	int sum = 0;
	for (auto &f : all)
		sum += f.get();
	assert(sum == 9);
}
