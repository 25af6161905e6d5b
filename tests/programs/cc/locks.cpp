// Calls that synchronise in C++: what each is given stands behind it.
#include <condition_variable>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <shared_mutex>
#include <vector>

struct Own {
	pthread_mutex_t mu;
	void lock() { pthread_mutex_lock(&mu); }
	void unlock() { pthread_mutex_unlock(&mu); }
};
struct Guard {
	Own *own;
	explicit Guard(Own *o) : own(o) { o->lock(); }
	~Guard() { own->unlock(); }
};
struct Queue {
	std::mutex m;
	std::recursive_mutex r;
	std::shared_mutex s;
	std::condition_variable cv;
	Own own;
	bool full;
	void put();
	void get();
};
void Queue::put()
{
	std::lock_guard<std::mutex> g(m); // L this->m
	full = true;
}
void Queue::get()
{
	std::unique_lock<std::mutex> l(m); // L this->m
	cv.wait(l);			   // C this->cv
}
void use(Queue *q, std::unique_ptr<Queue> &p, std::vector<Queue> &v, int i)
{
	Guard g(&q->own);			       // L q->own
	q->m.lock();				       // L q->m
	std::lock_guard<std::recursive_mutex> h(p->r); // L p->r
	std::shared_lock<std::shared_mutex> s(v[i].s); // L v[].s
	std::scoped_lock one(v[i].m);		       // L v[].m
	std::scoped_lock two(q->m, p->m);	       // L q->m; L p->m
}
