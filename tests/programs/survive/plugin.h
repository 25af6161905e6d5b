/* Between plugin.c and the programs that load it (load.c) or link it (linked.c). */
#ifndef PLUGIN_H
#define PLUGIN_H

#include <pthread.h>

extern long host_count;
extern pthread_mutex_t host_lock;
long plugin_step(long n);

#endif
