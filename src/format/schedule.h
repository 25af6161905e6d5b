/*
 * The schedule file of a finding: what the controller of the runtime needs to make it happen, and
 * what a reader needs to see that it belongs to this program. Text, one thing a line:
 *
 *   forerun-schedule 1
 *   run <32 hex digits>                   the run it was predicted from
 *   module <build-id> <path>              of every module that was recorded, in order
 *   kind data-race
 *   turn <thread path> <hook index>       the thread runs until that many of its hooks have
 * happened expect <thread path> <hook index> <kind> <site> [<value>] what is found there: checked
 * by the controller target <thread path> <hook index> <kind> <site> <role> the next hook of the
 * thread at the end of all turns end <crc32c of all before, 8 hex digits>
 *
 * Turns of one thread grow. A thread that is in no turn does not run. Kinds are those of event.h.
 */
#ifndef FR_FORMAT_SCHEDULE_H
#define FR_FORMAT_SCHEDULE_H

#define FR_SCHEDULE_MAGIC "forerun-schedule"
#define FR_SCHEDULE_VERSION 1

#endif
