#!/bin/sh
# C versions of the small programs on which PECAN was evaluated: violations of atomicity and of atomic sets, from
# split critical sections, from atomic variables, and from methods that lock each by itself.
. "$(dirname "$0")/../lib.sh"
. "$HERE/atomicity_programs.sh"
cd "$T" || exit 99
atomicity_programs accounts critical loader manager mergesort shop version jdkbuffer arraylist linkedlist hashset treeset
t_done
