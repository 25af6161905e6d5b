/* Definitions and calls in one file. */
#include "own_names.c"
#include "own_names_main.c"
