/*
 * The same in an order in which the signal may come to a thread that has just given up its turn.
 * options: --order random:105
 */
#include "pass_child_handler.c"
