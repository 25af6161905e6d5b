/*
 * A cache with a limit returns a reference to the value of a key. Another thread inserts a key,
 * which evicts that one. The twin returns a copy.
 *
 * order: creation
 * expect: use-after-free
 */
#include <list>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>

class cache {
public:
#ifdef FIXED
	std::string get(int key)
#else
	const std::string &get(int key)
#endif
	{
		static const std::string none;
		std::lock_guard<std::mutex> g(m);
		auto i = index.find(key);
		if (i == index.end())
			return none;
		items.splice(items.begin(), items, i->second);
		return i->second->second;
	}
	void put(int key, std::string value)
	{
		std::lock_guard<std::mutex> g(m);
		items.emplace_front(key, std::move(value));
		index[key] = items.begin();
		if (items.size() > 2) {
			index.erase(items.back().first);
			items.pop_back();
		}
	}

private:
	std::mutex m;
	std::list<std::pair<int, std::string>> items;
	std::unordered_map<int, std::list<std::pair<int, std::string>>::iterator> index;
};
static cache c;
size_t length;

int main()
{
	c.put(1, "the value of the first key is a long text");
	c.put(2, "and so is the value of the second key");
	std::thread reader([] { length = c.get(1).size(); });
	std::thread writer([] {
		c.put(3, "third");
		c.put(4, "fourth");
	});
	reader.join();
	writer.join();
	return 0;
}
