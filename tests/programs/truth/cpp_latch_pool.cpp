/*
 * Tasks in an unsynchronised pool resource of each thread; a latch hands the results over.
 */
#include "truth.h"
#include <latch>
#include <memory_resource>
#include <numeric>
#include <thread>
#include <vector>
int main()
{
	std::latch l(2);
	long sum[2];
	std::vector<std::jthread> t;
	for (int i = 0; i < 2; i++)
		t.emplace_back([&, i] {
			std::pmr::unsynchronized_pool_resource r;
			std::pmr::vector<long> v(&r);
			for (int k = 0; k < 20; k++)
				v.push_back(k + i);
			sum[i] = std::accumulate(v.begin(), v.end(), 0L);
			l.count_down();
		});
	l.wait();
	assert(sum[0] == 190 && sum[1] == 210);
}
