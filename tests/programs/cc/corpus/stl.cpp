// The standard library, exceptions, virtual bases, lambdas, threads: same output as without hooks.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <iostream>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <queue>
#include <random>
#include <regex>
#include <set>
#include <shared_mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>

struct Top {
	int t = 1;
	virtual ~Top() = default;
	virtual int f() const
	{
		return t;
	}
};
struct Left : virtual Top {
	int l = 2;
	int f() const override
	{
		return t + l;
	}
};
struct Right : virtual Top {
	int r = 3;
};
struct Bottom : Left, Right {
	std::string name = "bottom";
	int f() const override
	{
		return Left::f() + r;
	}
};

struct Guard {
	int &n;
	explicit Guard(int &x) : n(x)
	{
		n++;
	}
	~Guard()
	{
		n--;
	}
};

static int alive;

static int thrower(int n)
{
	Guard g(alive);

	if (n == 0)
		throw std::runtime_error("deep");
	if (n == 100)
		throw n;
	try {
		return thrower(n - 1) + 1;
	} catch (const std::logic_error &) {
		return -1;
	}
}

template <class T> class Queue
{
	std::deque<T> items;
	mutable std::mutex m;
	std::condition_variable cv;

public:
	void push(T t)
	{
		std::lock_guard<std::mutex> l(m);
		items.push_back(std::move(t));
		cv.notify_one();
	}
	T pop()
	{
		std::unique_lock<std::mutex> l(m);
		cv.wait(l, [this] { return !items.empty(); });
		T t = std::move(items.front());
		items.pop_front();
		return t;
	}
};

static int once()
{
	static std::vector<int> v = [] {
		std::vector<int> x(10);
		std::iota(x.begin(), x.end(), 0);
		return x;
	}();
	return std::accumulate(v.begin(), v.end(), 0);
}

template <class... T> auto total(T... t)
{
	return (t + ... + 0);
}

int main()
{
	Queue<std::string> q;
	std::vector<std::thread> ts;
	std::atomic<long> sum{0};
	std::map<std::string, int> words;
	std::shared_mutex sm;

	for (int i = 0; i < 3; i++)
		ts.emplace_back([&, i] {
			for (int k = 0; k < 50; k++)
				q.push("item" + std::to_string(i * 100 + k));
		});
	for (int i = 0; i < 150; i++) {
		std::string s = q.pop();
		std::unique_lock l(sm);
		words[s.substr(0, 5)]++;
		sum += std::stol(s.substr(4));
	}
	for (auto &t : ts)
		t.join();
	for (auto &[w, n] : words)
		std::cout << w << ' ' << n << ' ';
	std::cout << sum << '\n';

	for (int n : {3, 100, 0}) {
		try {
			std::cout << thrower(n) << '\n';
		} catch (const std::exception &e) {
			std::cout << e.what() << ' ' << alive << '\n';
		} catch (int x) {
			std::cout << "int " << x << ' ' << alive << '\n';
		}
	}
	Bottom b;
	Top *top = &b;
	auto sp = std::make_shared<Bottom>();
	std::weak_ptr<Bottom> wp = sp;
	std::cout << top->f() << ' ' << dynamic_cast<Left *>(top)->l << ' ' << sp.use_count() << ' ' << wp.lock()->name
		  << ' ' << once() << ' ' << total(1, 2.5, 'a') << '\n';
	auto f = std::async(std::launch::async, [] { return std::string("from a thread"); });
	std::variant<int, std::string> var = f.get();
	std::cout << std::visit([](auto &&x) { std::ostringstream o; o << x; return o.str(); }, var) << '\n';
	std::mt19937 rng(7);
	std::vector<int> v(2000);
	for (auto &x : v)
		x = (int)(rng() % 1000);
	std::sort(v.begin(), v.end(), std::greater<>());
	std::priority_queue<int> pq(v.begin(), v.begin() + 100);
	std::set<int> uniq(v.begin(), v.end());
	std::unordered_map<int, std::list<int>> buckets;
	for (int x : v)
		buckets[x % 7].push_back(x);
	std::regex re("([a-z]+)([0-9]*)");
	std::smatch m;
	std::string text = "abc123";
	std::regex_match(text, m, re);
	std::optional<int> none;
	std::array<double, 4> arr{1, 2, 3, 4};
	std::cout << v.front() << ' ' << pq.top() << ' ' << uniq.size() << ' ' << buckets[3].size() << ' ' << m[2] << ' '
		  << none.value_or(9) << ' ' << std::inner_product(arr.begin(), arr.end(), arr.begin(), 0.0) << '\n';
	std::function<int(int)> fib = [&](int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); };
	std::cout << fib(12) << '\n';
	return 0;
}
