/*
 * Scripts of documents, as in the Mozilla suite (AVPredictor's figure 1). One thread notes the
 * current script and loads it; when the load is complete, it compiles the current script. Another
 * thread closes a document. It sets the current script to none, under the lock, and then to its own
 * script, without the lock.
 *
 * Both writes of the other thread come between the loader's write and read of the current script.
 * Two interleavings: the first dereferences a null pointer, the second compiles a script that was
 * not loaded.
 *
 * expect: atomicity-violation current_script write@set read@complete
 * between: write@clear write@other
 * harm: crash mozilla.c:@compile
 * order: creation
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct script {
	const char *name;
	const char *source; /* none: not loaded */
	int statements;
	int failed;
};

struct document {
	struct script *scripts;
	int n;
};

static pthread_mutex_t script_lock = PTHREAD_MUTEX_INITIALIZER;
static struct script *current_script;

static struct script page_scripts[] = {{.name = "page.js"}};
static struct script side_scripts[] = {{.name = "side.js"}};
static struct document page = {page_scripts, 1}, side = {side_scripts, 1};

static const char *fetch(const char *name)
{
	return strcmp(name, "page.js") ? "go();" : "a = 1; b = a; run(b);";
}

static void launch_load(struct script *s)
{
	s->source = fetch(s->name);
}

static void compile(struct script *s)
{
	const char *p = s->source; /* @compile */

	if (!p) {
		s->failed = 1;
		return;
	}
	while ((p = strchr(p, ';'))) {
		s->statements++;
		p++;
	}
}

static void on_load_complete(void)
{
#ifndef FIXED
	pthread_mutex_lock(&script_lock);
#endif
	compile(current_script); /* @complete */
	pthread_mutex_unlock(&script_lock);
}

static void load_script(struct script *s)
{
	pthread_mutex_lock(&script_lock);
	current_script = s; /* @set */
#ifndef FIXED
	pthread_mutex_unlock(&script_lock);
#endif
	launch_load(s);
	on_load_complete();
}

static void close_document(struct document *next)
{
	pthread_mutex_lock(&script_lock);
	current_script = NULL; /* @clear */
#ifndef FIXED
	pthread_mutex_unlock(&script_lock);
#endif
	current_script = &next->scripts[0]; /* @other */
#ifdef FIXED
	pthread_mutex_unlock(&script_lock);
#endif
}

static void *loader(void *arg)
{
	for (int i = 0; i < page.n; i++)
		load_script(&page.scripts[i]);
	return arg;
}

static void *closer(void *arg)
{
	close_document(&side);
	return arg;
}

int main(void)
{
	pthread_t t1, t2;

	pthread_create(&t1, NULL, loader, NULL);
	pthread_create(&t2, NULL, closer, NULL);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	printf("%s: %d statements%s\n", page.scripts[0].name, page.scripts[0].statements,
	       page.scripts[0].failed ? ", failed" : "");
	printf("%s: %d statements%s\n", side.scripts[0].name, side.scripts[0].statements,
	       side.scripts[0].failed ? ", failed" : "");
	return 0;
}
