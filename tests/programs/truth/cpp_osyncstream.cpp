/* std::osyncstream, thread ids and a time in the output. */
#include <chrono>
#include <iostream>
#include <syncstream>
#include <thread>
#include <vector>

int main()
{
	std::vector<std::jthread> v;
	for (int i = 0; i < 3; i++)
		v.emplace_back([i] {
			for (int k = 0; k < 3; k++)
				std::osyncstream(std::cout)
				    << "thread " << i << " line " << k << " id "
				    << std::this_thread::get_id() << '\n';
		});
	v.clear();
	auto t = std::chrono::system_clock::now().time_since_epoch().count();
	std::cout << "at " << t << std::endl;
}
