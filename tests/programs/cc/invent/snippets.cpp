// Accesses that an optimiser is tempted to invent, in C++ (touch.h, snippets.c).
#include "touch.h"
#include <algorithm>
#include <array>
#include <atomic>
#include <coroutine>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

struct Base {
	int kind = 1;
	virtual ~Base() = default;
	virtual int get(int c) { return c & 1 ? kind : 0; }
};
struct Derived : Base {
	int more = 2;
	int get(int c) override { return c & 2 ? more : Base::get(c); }
};
struct Point { int x, y, z; };
struct Account {
	int balance = 10, limit = 20;
	std::atomic<int> open{1};
	int room(int c) const { return c & 1 ? limit - balance : 0; }
	int checked() const { return open.load(std::memory_order_acquire) > 1 ? balance : -1; }
	void close(int c) { if (c & 1) balance = 0; }
	int &pick(int c) { return c & 1 ? balance : limit; }
};

int g = 3, h = 4, out;
int array_[64];
std::array<Point, 32> points;
Account account;
Derived derived;
std::vector<int> numbers(64, 1), others(64, 2);
std::string word = "forerun", second = "forecast";
std::optional<int> maybe = 5;
std::unique_ptr<Point> owned = std::make_unique<Point>();
static int from_constructor = array_[3] ? array_[4] : 1; // a function that clang makes

#define S(name) NOINLINE static void name(int c, int n)

static int ref_or(const int &r, int c) { return c & 1 ? r : 9; }
S(reference) { out = ref_or(g, c) + ref_or(h, n); }
NOINLINE static int ref_far(const Point &p, int c) { return c & 1 ? p.x : c & 2 ? p.z : 0; }
S(reference_noinline) { out = ref_far(points[1], c) + ref_far(*owned, n); }
S(reference_choice) { const int &r = c & 1 ? g : h; out = r + n; }
S(reference_local) { int l = n; int &r = c & 1 ? g : l; r += 1; out = l; }
S(maximum) { out = std::max(g, n); (void)c; }
S(maximum_of_two) { out = c & 1 ? std::max(array_[1], array_[2]) : std::min(h, n); }
S(this_member) { out = account.room(c) + n; }
S(this_published) { out = account.checked() + c + n; }
S(this_store) { account.close(c); (void)n; }
S(this_reference) { account.pick(c) += n; }
S(virtual_call) { Base *b = &derived; out = b->get(c) + n; }
S(lambda) { auto f = [&](int i) { return i & 1 ? g : i & 2 ? h : 0; }; out = f(c) + f(n); }
S(lambda_by_function) { std::function<int(int)> f = [](int i) { return i & 1 ? g : 1; }; out = f(c) + n; }
S(vector_element) { out = c & 1 ? numbers[(unsigned)n] : others[(unsigned)n]; }
S(vector_find) { out = (int)(std::find(numbers.begin(), numbers.end(), c) - numbers.begin()) + n; }
S(vector_any) { out = std::any_of(numbers.begin(), numbers.begin() + n, [c](int x) { return x == c; }); }
S(vector_transform) { for (int i = 0; i < n; i++) if (others[(unsigned)i] & 1) numbers[(unsigned)i] = c; }
S(range_break) { int s = 0; for (int x : numbers) { if (x == c) break; s += x; } out = s + n; }
S(array_members) { int s = 0; for (const Point &p : points) s += p.y; out = s + c + n; }
S(array_write) { for (int i = 0; i < (n & 31); i++) points[(unsigned)i].y = c; }
S(copy_members) { Point p = points[(unsigned)n & 31]; if (c & 1) *owned = p; }
S(swap) { if (c & 1) std::swap(g, h); (void)n; }
S(string_equal) { out = (word == second) + c + n; }
S(string_first) { out = c & 1 ? word[(unsigned)n & 3] : second[0]; }
S(optional_value) { out = c & 1 ? maybe.value_or(n) : 0; }
S(pointer) { Point *p = c & 1 ? owned.get() : nullptr; out = p ? p->z : n; }
S(exception)
{
	try {
		if (c & 1)
			throw std::runtime_error("x");
		out = g;
	} catch (const std::exception &) {
		out = h + n;
	}
}
template <bool Both> static int choose(int c) { if constexpr (Both) return c & 1 ? g : h; else return c & 1 ? g : 0; }
S(templates) { out = choose<true>(c) + choose<false>(n); }
__attribute__((always_inline)) static inline int always(Account &a, int c) { return c & 1 ? a.limit : 0; }
S(always_inlined) { out = always(account, c) + n; }

struct Task {
	struct promise_type {
		int value = 0;
		Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
		std::suspend_always initial_suspend() noexcept { return {}; }
		std::suspend_always final_suspend() noexcept { return {}; }
		std::suspend_always yield_value(int v) { value = v; return {}; }
		void return_void() {}
		void unhandled_exception() { std::terminate(); }
	};
	std::coroutine_handle<promise_type> handle;
};
static Task produce(int c) { co_yield c & 1 ? g : 1; if (c & 2) co_yield array_[5]; co_yield c & 4 ? h : 2; }
S(coroutine)
{
	Task t = produce(c);
	int s = 0;
	while (!t.handle.done() && (t.handle.resume(), !t.handle.done()))
		s += t.handle.promise().value;
	t.handle.destroy();
	out = s + n;
}

static const struct { const char *name; void (*run)(int, int); } all[] = {
#define X(f) {#f, f},
	X(reference) X(reference_noinline) X(reference_choice) X(reference_local) X(maximum) X(maximum_of_two) X(this_member) X(this_published) X(this_store)
	X(this_reference) X(virtual_call) X(lambda) X(lambda_by_function) X(vector_element) X(vector_find) X(vector_any) X(vector_transform) X(range_break)
	X(array_members) X(array_write) X(copy_members) X(swap) X(string_equal) X(string_first) X(optional_value) X(pointer) X(exception) X(templates)
	X(always_inlined) X(coroutine)
#undef X
};

int main()
{
#define X(o) touch_object(#o, &o, sizeof(o));
	X(g) X(h) X(out) X(array_) X(points) X(account) X(from_constructor) X(maybe) X(second)
#undef X
	touch_object("derived", &derived.kind, 2 * sizeof(int));
	touch_object("numbers", numbers.data(), 64 * sizeof(int));
	touch_object("others", others.data(), 64 * sizeof(int));
	touch_object("owned", owned.get(), sizeof(Point));
	for (const auto &s : all)
		for (int i = 0; i < 24; i++) {
			touch_fill(array_, sizeof(array_), (unsigned)i);
			touch_fill(numbers.data(), 64 * sizeof(int), (unsigned)i + 1);
			touch_fill(others.data(), 64 * sizeof(int), (unsigned)i + 2);
			account.open = i % 3;
			touch_end("fresh", 0);
			s.run(touch_number(i % 8), touch_number((i * 13) % 64));
			touch_end(s.name, i);
		}
	return 0;
}
