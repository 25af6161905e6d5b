/* The library's side: own_names_main.c's work, called by a program that has nothing of its own. */
#define main own_names_run
__attribute__((visibility("default"))) int own_names_run(void);
#include "own_names_main.c"
