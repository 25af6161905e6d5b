/*
 * The same in an order in which the server, in a run that has left its schedule, reads another message at the hook of a
 * recorded read of one byte.
 * options: --order random:6
 */
#include "app_connection_pool.c"
