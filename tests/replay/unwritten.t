#!/bin/sh
# A run is repeated although it reads bytes that nobody wrote (the padding of a closure), and ids of children, which
# differ in each execution.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99
for source in cpp_stealing_pool.cpp world_supervisor.c; do
	n=${source%.*}
	case $source in
	*.cpp) tool="c++ -std=c++20" ;;
	*) tool="cc -D_GNU_SOURCE" ;;
	esac
	t_ok "$n: builds" "$FORERUN" $tool -g -O1 -pthread "$SRC/tests/programs/truth/$source" -o "$n"
	t_ok "$n: is recorded" "$FORERUN" record --order random:1 -o "$n.d" "./$n"
	t_ok "$n: is repeated" "$FORERUN" replay "$n.d"
done
t_done
