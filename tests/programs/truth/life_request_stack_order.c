/*
 * The same in an order in which a request lies where an earlier one of its thread lay.
 * options: --order random:101
 */
#include "life_request_stack.c"
