/* Livelock: see ctl_poll.h. */
#include "ctl_poll.h"
#include "ctl_timer.h"
#include "ctl_turn.h"
#include "runtime/core/program_state.h"
#include "runtime/core/shadow.h"
#include <sys/mman.h>

#define STEPS 4096    /* kept for each thread; a period is at most a quarter */
#define THREADS 64    /* with more threads, nothing is watched */
#define FIRST 20000   /* hooks in the free stage before the first check */
#define ROUNDS 131072 /* of a loop that does not change its state: more than retries take */
#define ROUNDS_WAITING 262144
#define ROUNDS_TIME 1024      /* before virtual time jumps */
#define COMPUTES 4096	      /* rounds after which a loop that changes its state does not poll */
#define STACK_MAX (256 << 10) /* bytes of a stack that are compared */
#define WORK_MAX 100000000    /* pairs of steps that are compared */
#define JUMP_NS UINT64_C(1000000000)
#define JUMPS 31 /* each is twice as far: 68 years altogether */

/* A step of a loop. */
struct step {
	uint64_t addr, value;
	uint32_t site, size;
	uint8_t kind, outcome;
	bool own;   /* the loop writes this memory: its value may differ */
	bool state; /* the program's state is known here */
};

struct polling {
	uint32_t n;	 /* steps collected; STEPS: all */
	uint32_t period; /* 0: not known yet */
	uint32_t at;	 /* position in the period */
	uint32_t anchor; /* position at which the state is compared; period: none */
	uint64_t rounds; /* since the last news */
	uint64_t exact;	 /* rounds without another state */
	uint64_t state, news;
	uint32_t extra; /* steps of this round that are skipped: see skips */
	bool varies, waits, asks_time, asks_outside, plain;
	bool counts; /* a word of the state is a count of hooks: see normal */
	enum { SHIFT_NOT_YET, SHIFT_DUE, SHIFTED } shift;
	struct step step[STEPS];
};

static struct polling *polling[FR_POOL_MAX_THREADS];
static uintptr_t stack_end[FR_POOL_MAX_THREADS];
static bool watching;
static uint64_t activity, next_look = FIRST;
static uint64_t news; /* steps of threads that do not poll, and jumps of time */
static uint32_t jumps;
static bool hasten; /* a thread polls with longer sleeps than others: check after each round */

bool frt_state_wanted;
struct frt_program_state frt_state;

void frt_ctl_poll_stack(struct frt_thread *t, uintptr_t end)
{
	stack_end[t->id - 1] = end;
}

#define STARTSTACK 26 /* field of /proc/self/stat after the name */

void frt_ctl_poll_begin(struct frt_thread *main_thread)
{
	char text[512];
	long n = frt_ctl_task_file((uint32_t)syscall(SYS_gettid), "/stat", text, sizeof(text)),
	     i = n;
	uint64_t address = 0;
	unsigned field = 0;

	while (i > 0 && text[i - 1] != ')')
		i--;
	for (; i < n && field <= STARTSTACK; i++) {
		field += text[i] == ' ';
		if (field == STARTSTACK && text[i] >= '0' && text[i] <= '9')
			address = 10 * address + (uint64_t)(text[i] - '0');
	}
	frt_ctl_poll_stack(main_thread, address);
}

/* ---- watching ---- */

static struct polling *of(const struct frt_thread *t)
{
	return polling[t->id - 1];
}

static void begin(void)
{
	uint32_t n = frt_ctl_count();

	for (uint32_t i = 0; i < n && n <= THREADS; i++) {
		if (!polling[i]) {
			void *p = (void *)syscall(SYS_mmap, NULL, sizeof(*polling[i]),
						  (long)(PROT_READ | PROT_WRITE),
						  (long)(MAP_PRIVATE | MAP_ANONYMOUS), -1L, 0L);

			if ((unsigned long)p >= -4095UL)
				return;
			polling[i] = p;
		}
		polling[i]->n = polling[i]->period = 0;
	}
	watching = frt_state_wanted = n <= THREADS;
	hasten = false;
	jumps = 0;
}

static void end(void)
{
	watching = frt_state_wanted = false;
	next_look = 2 * activity;
}

static uint64_t rounds(const struct polling *p);

/* The hook at which a thread must be looked at, or its turn ends. */
static uint64_t limit_of(const struct frt_ctl_thread *c)
{
	uint64_t left = next_look > activity ? next_look - activity : 1;

	return watching				    ? c->t->hook + 1
	       : left < c->turn_end - c->turn_began ? c->turn_began + left
						    : c->turn_end;
}

uint64_t frt_ctl_poll_turn(struct frt_ctl_thread *c, uint64_t hooks, const struct frt_thread *self)
{
	const struct polling *p = of(c->t);

	if (self)
		activity += self->hook - frt_ctl_thread(self)->turn_began + 1;
	/* It has polled enough; another thread that gives its turn away may need more rounds. */
	if (watching && rounds(p) >= ROUNDS && p->period < hooks)
		hooks = p->period;
	c->turn_began = c->t->hook;
	c->turn_end = c->t->hook + hooks;
	if (!watching && activity >= next_look)
		begin();
	return limit_of(c);
}

/* In a turn: begins to watch. False: the turn is over. */
static bool begin_in_turn(struct frt_thread *t, struct frt_ctl_thread *c)
{
	if (!t->limit || t->hook < t->limit || t->hook >= c->turn_end)
		return false;
	activity += t->hook - c->turn_began;
	c->turn_began = t->hook;
	if (activity >= next_look)
		begin();
	t->limit = limit_of(c);
	return true;
}

/* ---- one thread ---- */

static bool writes(const struct step *s)
{
	return s->kind < FRT_POLL_YIELD && fr_event_is(s->kind) & FR_IS_WRITE;
}

static bool reads(const struct step *s)
{
	return s->kind < FRT_POLL_YIELD && fr_event_is(s->kind) & FR_IS_READ;
}

static bool same_access(const struct step *a, const struct step *b)
{
	return a->site == b->site && a->kind == b->kind && a->addr == b->addr && a->size == b->size;
}

static bool same(const struct step *a, const struct step *b)
{
	return same_access(a, b) && a->outcome == b->outcome &&
	       (a->own || writes(a) || a->value == b->value);
}

/* Does the call or access `by` write memory that `s` reads? The kernel writes times into the
   stack. */
static bool writes_for(const struct step *by, const struct step *s, uintptr_t stack)
{
	if (by->kind == FRT_POLL_TIME)
		return reads(s) && s->addr < stack && s->addr > stack - STACK_MAX;
	return writes(by) && frt_ctl_overlap(by, s);
}

/* Marks the accesses to memory that the loop writes, in the last steps. */
static void mark_own(struct polling *p, uint32_t n, uintptr_t stack)
{
	for (uint32_t i = STEPS - n; i < STEPS; i++)
		for (uint32_t k = STEPS - n; k < STEPS && !p->step[i].own; k++)
			p->step[i].own = writes_for(&p->step[k], &p->step[i], stack);
}

#define TRIES 8 /* periods at the same places, but perhaps with other values */

/* Do the last four rounds of this length take the same steps? */
static bool is_period(struct polling *p, uint32_t n, uintptr_t stack, unsigned *tries)
{
	frt_assert(n && 4 * n <= STEPS);
	for (uint32_t i = STEPS - 3 * n; i < STEPS; i++)
		if (!same_access(&p->step[i], &p->step[i - n]))
			return false;
	if (++*tries > TRIES)
		return false;
	mark_own(p, n, stack);
	for (uint32_t i = STEPS - n; i < STEPS; i++)
		if (!same(&p->step[i], &p->step[i - n]))
			return false;
	return true;
}

/* Finds the loop in the steps. False: there is none. */
static bool find_period(struct polling *p, uintptr_t stack)
{
	unsigned tries = 0;
	uint32_t n = 1;

	while (n <= STEPS / 4 && !is_period(p, n, stack, &tries))
		n++;
	if (n > STEPS / 4)
		return false;
	p->period = p->anchor = n;
	p->at = 0;
	p->rounds = p->exact = p->news = 0;
	p->extra = 0;
	p->varies = p->waits = p->asks_time = p->asks_outside = p->counts = false;
	p->shift = SHIFT_NOT_YET;
	p->plain = true;
	for (uint32_t i = 0; i < n; i++) {
		const struct step *s = &p->step[STEPS - n + i];

		p->waits |= s->kind == FRT_POLL_YIELD || s->kind == FRT_POLL_SLEEP;
		p->asks_time |= s->kind == FRT_POLL_TIME;
		p->asks_outside |= s->kind == FRT_POLL_OUTSIDE;
		p->plain &= s->kind == FR_EV_READ || s->kind == FR_EV_WRITE;
		p->anchor = s->state ? i : p->anchor;
	}
	return true;
}

static uint64_t mix(uint64_t h, uint64_t x)
{
	h = (h ^ x) * UINT64_C(0x9e3779b97f4a7c15);
	return h ^ h >> 29;
}

/* The hook's own code keeps its count in registers and on the stack, alone or as part of frt_last.
   In the next round it is another count at the same distance: at most a round, because what the
   last hook of this site has left may still be there. The program's own counter may look the same:
   see shift_hooks. */
static uint64_t normal(struct polling *p, const struct frt_thread *t, uint64_t x)
{
	uint64_t last = x ^ frt_last(t->owner, 0, 0, 0, 0), ago;

	if (t->hook - x <= p->period) {
		p->counts = true;
		return t->hook - x;
	}
	ago = (t->hook - (last >> FRT_LAST_REST_BITS)) & ((UINT64_C(1) << FRT_LAST_HOOK_BITS) - 1);
	if (ago > p->period)
		return x;
	p->counts = true;
	return ago << FRT_LAST_REST_BITS | (last & ((UINT64_C(1) << FRT_LAST_REST_BITS) - 1));
}

/* A number for the registers and the stack of the program; 0: not known. After a call, registers
   that the callee may change hold nothing of the program. */
static uint64_t state_of(struct polling *p, const struct frt_thread *t)
{
	const struct frt_program_state *s = &frt_state;
	uintptr_t end = stack_end[t->id - 1];
	const uint64_t *a = p->plain ? s->low : s->frame;
	uint64_t h = (uintptr_t)a;

	if (!s->frame || end < (uintptr_t)a || end - (uintptr_t)a > STACK_MAX)
		return 0;
	for (unsigned i = 0; i < FRT_REGS; i++)
		h = mix(h, normal(p, t, s->reg[i]));
	for (; (uintptr_t)(a + 1) <= end; a++)
		h = mix(h, normal(p, t, *a));
	return h | 1;
}

/* A round is complete. */
static void count_round(struct polling *p)
{
	p->at = 0;
	if (p->news != news) {
		p->news = news;
		p->rounds = p->exact = 0;
	}
	p->rounds++;
	p->exact = p->varies || p->anchor == p->period ? 0 : p->exact + 1;
	p->varies = false;
	p->extra = 0;
}

#define EXTRA 16 /* steps of a round */

/* A plain access to the thread's own stack. */
static bool is_private(const struct frt_thread *t, const struct step *s)
{
	uintptr_t end = stack_end[t->id - 1];

	return (s->kind == FR_EV_READ || s->kind == FR_EV_WRITE) && s->addr < end &&
	       s->addr >= (uintptr_t)__builtin_frame_address(0) && end - s->addr <= STACK_MAX;
}

/* A loop that asks for the time computes with the answer, and takes a branch only now and then:
   when nanoseconds become a second. So some accesses to its own stack may be missing, or be there
   in addition. Returns the step of the loop that comes next, NULL: s itself is skipped. */
static struct step *skips(struct polling *p, const struct frt_thread *t, const struct step *s)
{
	struct step *x = &p->step[STEPS - p->period + p->at];

	if (!p->asks_time || same(x, s))
		return x;
	if (is_private(t, s) && p->extra < EXTRA) {
		p->extra++;
		p->varies = true;
		return NULL;
	}
	while (is_private(t, x) && p->at + 1 < p->period && !same(x, s)) {
		p->at++;
		p->varies = true;
		x++;
	}
	return x;
}

/* Compares a step with the loop. False: the thread does not poll. */
static bool compare(struct polling *p, const struct frt_thread *t, const struct step *s)
{
	struct step *x;
	uint64_t state;

	/* A handler may have interrupted find_period: then there is no period yet. */
	frt_assert(p->period <= STEPS / 4 && p->anchor <= STEPS / 4);
	x = skips(p, t, s);
	if (!x)
		return true;
	if (!same(x, s))
		return false;
	p->varies |= x->value != s->value;
	x->value = s->value;
	if (p->at == p->anchor) {
		state = state_of(p, t);
		p->varies |= !state || state != p->state;
		p->state = state;
	}
	if (++p->at == p->period)
		count_round(p);
	return true;
}

/* ---- all threads ---- */

/* The rounds of a thread, in terms of ROUNDS: loops that wait count less. */
static uint64_t rounds(const struct polling *p)
{
	if (!p || p->n < STEPS || !p->period || p->news != news || p->rounds < 2)
		return 0;
	if (p->exact >= p->rounds / 2 && p->exact > 1)
		return p->exact;
	/* Nobody can try a recording again: only a state that repeats counts. */
	return (p->waits || p->asks_time) && !frt_ctl->recording
		   ? p->rounds / (ROUNDS_WAITING / ROUNDS)
		   : 0;
}

/* Can a step of one loop change a value that a step of another loop sees? */
static bool disturbs(const struct step *a, const struct step *b)
{
	if (writes(a) && (reads(b) || writes(b)) && frt_ctl_overlap(a, b))
		return !reads(b) || a->value != b->value || a->size != b->size;
	return b->outcome && a->addr == b->addr && !writes(b) && !reads(b);
}

static bool loops_disturb(const struct polling *p, const struct polling *q)
{
	frt_assert(p != q && p->period <= STEPS / 4 && q->period <= STEPS / 4);
	for (uint32_t i = STEPS - p->period; i < STEPS; i++)
		for (uint32_t k = STEPS - q->period; k < STEPS; k++)
			if (disturbs(&p->step[i], &q->step[k]))
				return true;
	return false;
}

static bool any_disturbs(void)
{
	uint64_t work = 0;

	for (uint32_t i = 0, n = frt_ctl_count(); i < n; i++)
		for (uint32_t k = 0; k < n; k++) {
			if (i == k || !rounds(polling[i]) || !rounds(polling[k]))
				continue;
			work += (uint64_t)polling[i]->period * polling[k]->period;
			if (work > WORK_MAX || loops_disturb(polling[i], polling[k]))
				return true;
		}
	return false;
}

/* Threads that sleep and have not polled for enough rounds yet. */
enum asleep { NOBODY, POLLER, STRANGER /* may do anything when it wakes up */ };

static uint64_t enough; /* rounds */

static bool polls_enough(const struct frt_ctl_thread *c)
{
	return rounds(of(c->t)) >= enough;
}

static enum asleep asleep(const struct polling *p)
{
	return p && p->n == STEPS && p->period ? POLLER : STRANGER;
}

/* True if each thread polls for this many rounds, sleeps or is blocked. */
static bool all_poll(uint64_t least, enum asleep *ret)
{
	*ret = NOBODY;
	enough = least;
	for (uint32_t i = 0, n = frt_ctl_count(); i < n; i++) {
		const struct frt_ctl_thread *c = &frt_ctl_threads[i];
		uint32_t s = c->t ? frt_ctl_status(c) : FR_CTL_OVER;

		if (s == FR_CTL_OVER || s == FR_CTL_NONE || (s == FR_CTL_BLOCKED && !c->timed))
			continue;
		if (polls_enough(c))
			continue;
		if (s != FR_CTL_BLOCKED)
			return false;
		if (asleep(polling[i]) > *ret)
			*ret = asleep(polling[i]);
	}
	return true;
}

static bool asks(bool time)
{
	for (uint32_t i = 0, n = frt_ctl_count(); i < n; i++)
		if (rounds(polling[i]) && (time ? polling[i]->asks_time : polling[i]->asks_outside))
			return true;
	return false;
}

/* Virtual time jumps to the end of a sleep, after which a thread that polls has another round. */
static void wake_poller(void)
{
	hasten = !frt_ctl->recording;
	if (hasten)
		frt_ctl_idle_expire(polls_enough);
}

#define SHIFT (2 * STEPS) /* more than the hooks of a round */

/* Before the run is called a livelock: if a count of hooks belongs to the program, such as a
   counter of attempts that began together with the thread, it differs from that of the hooks as
   soon as some hooks are left out. Then the loop changes its state. */
static bool shift_hooks(void)
{
	bool due = false;

	for (uint32_t i = 0, n = frt_ctl_count(); i < n; i++) {
		struct polling *p = polling[i];

		if (!rounds(p) || !p->counts || p->shift != SHIFT_NOT_YET)
			continue;
		p->shift = SHIFT_DUE;
		due = true;
	}
	news += due;
	return due;
}

static void shift_now(struct frt_thread *t, struct frt_ctl_thread *c)
{
	struct polling *p = of(t);

	if (!watching || p->shift != SHIFT_DUE)
		return;
	p->shift = SHIFTED;
	t->hook += SHIFT;
	c->turn_began += SHIFT;
	c->turn_end += SHIFT;
}

static void look(void)
{
	uint64_t timer = UINT64_MAX;
	enum asleep who;
	bool changes;

	if (!all_poll(ROUNDS_TIME, &who))
		return;
	changes = who == STRANGER || frt_ctl_timer_next(&timer);
	/* A recording takes the time that it takes. */
	if (frt_ctl->recording && (changes || asks(true))) {
		end();
		return;
	}
	if (changes) {
		hasten = false;
		frt_ctl_idle_expire(polls_enough);
		news++;
		return;
	}
	if (who == POLLER) {
		wake_poller();
		return;
	}
	if (asks(true) && jumps < JUMPS) {
		news++;
		frt_ctl_spend(JUMP_NS << jumps++);
		return;
	}
	if (!all_poll(ROUNDS, &who))
		return;
	if (who != NOBODY) {
		wake_poller();
		return;
	}
	if (asks(false) || any_disturbs() || frt_ctl_outside()) {
		end();
		return;
	}
	if (!shift_hooks())
		frt_ctl_hang();
}

/* Takes a step of a thread. */
static void take(struct frt_thread *t, const struct step *s)
{
	struct polling *p = of(t);

	if (!p) {
		end();
		return;
	}
	if (p->n < STEPS) {
		p->step[p->n++] = *s;
		news++;
		if (p->n == STEPS && !find_period(p, stack_end[t->id - 1]))
			end();
		return;
	}
	if (!compare(p, t, s)) {
		end();
		return;
	}
	if (p->at || (p->rounds % 1024 && !hasten))
		return;
	if (p->rounds >= COMPUTES && !rounds(p))
		end();
	else
		look();
}

bool frt_ctl_poll_hook(struct frt_thread *t, const struct fr_control_file_seen *seen)
{
	struct frt_ctl_thread *c = frt_ctl_thread(t);

	if (!watching)
		return begin_in_turn(t, c);
	/* The value of a call is a stamp. */
	take(t, &(struct step){
		    .addr = seen->addr,
		    .value = fr_event_is(seen->kind) & (FR_IS_READ | FR_IS_WRITE) ? seen->value : 0,
		    .site = seen->site,
		    .size = seen->size,
		    .kind = seen->kind,
		    .outcome = seen->outcome,
		    .state = frt_state.frame != NULL});
	frt_state.frame = NULL;
	shift_now(t, c);
	if (t->hook >= c->turn_end)
		return false;
	t->limit = limit_of(c);
	return true;
}

bool frt_ctl_poll_watches(void)
{
	return watching && frt_ctl_free();
}

void frt_ctl_poll_call(struct frt_thread *t, enum frt_poll_call call)
{
	if (frt_ctl_poll_watches())
		take(t, &(struct step){.site = frt_call_site(t), .kind = (uint8_t)call});
}

bool frt_ctl_poll_steady(void)
{
	static uint64_t before;
	bool same = watching && before == news;

	before = news;
	return same;
}

/* ---- the report ---- */

/* The last read is most often that of the flag, after those of pointers to it. */
static const struct step *telling(const struct polling *p)
{
	const struct step *best = &p->step[STEPS - p->period];

	frt_assert(p->n == STEPS && p->period);
	for (const struct step *s = best; s < p->step + STEPS; s++)
		if ((reads(s) && !s->own) || (s->outcome && !reads(best)))
			best = s;
	return best;
}

bool frt_ctl_polls(const struct frt_ctl_thread *c, struct fr_control_file_seen *ret)
{
	const struct polling *p = of(c->t);
	const struct step *s;

	if (!watching || !rounds(p))
		return false;
	s = telling(p);
	*ret = (struct fr_control_file_seen){
	    .thread = c->known,
	    .id = c->t->id,
	    .hook = c->t->hook,
	    .addr = s->addr,
	    .value = s->value,
	    .site = s->site,
	    .size = s->size,
	    .kind = s->kind < FRT_POLL_YIELD ? s->kind : 0,
	    .outcome = s->outcome,
	};
	return true;
}

bool frt_ctl_polls_at(const struct frt_ctl_thread *c, uint64_t addr)
{
	const struct polling *p = of(c->t);

	if (!watching || !rounds(p))
		return false;
	for (const struct step *s = &p->step[STEPS - p->period]; s < p->step + STEPS; s++)
		if (reads(s) ? s->addr <= addr && addr < s->addr + s->size
			     : s->outcome == FR_BUSY && s->addr == addr)
			return true;
	return false;
}
