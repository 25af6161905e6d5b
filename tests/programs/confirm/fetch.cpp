/*
 * C++: std::async fetches pages, and a promise says when the first page is complete. The tasks
 * count the pages without a lock. main prints the count before it has waited for the last task.
 *
 * expect: data-race * write@count read@print
 * harm: output
 * order: creation
 */
#include <cstdio>
#include <future>
#include <string>
#include <vector>

static std::promise<std::string> first;
static int pages;

static std::string fetch(int n)
{
	return std::string(static_cast<std::size_t>(n), 'x');
}

static int index_all()
{
	std::vector<std::future<std::string>> f;
	int length = 0;

	for (int i = 1; i <= 3; i++)
		f.push_back(std::async(std::launch::async, fetch, i));
	first.set_value(f[0].get());
	for (std::size_t i = 1; i < f.size(); i++)
		length += static_cast<int>(f[i].get().size());
	pages = 3; /* @count */
	return length;
}

int main()
{
	auto all = std::async(std::launch::async, index_all);
	std::string front = first.get_future().get();
	int length;

#ifdef FIXED
	length = all.get();
	std::printf("%zu %d\n", front.size(), pages);
#else
	std::printf("%zu %d\n", front.size(), pages); /* @print */
	length = all.get();
#endif
	std::printf("%d\n", length);
	return 0;
}
