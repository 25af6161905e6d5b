#!/bin/sh
# C versions of the programs on which AVPredictor was evaluated: known atomicity violations, with all their
# interleavings; and a bank account whose repair left some of them.
. "$(dirname "$0")/../lib.sh"
. "$HERE/atomicity_programs.sh"
cd "$T" || exit 99
atomicity_programs bank bankfix circlist logsweep strbuf mysql apache mozilla pbzip pbunzip pfscan aget
t_done
