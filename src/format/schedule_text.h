/*
 * The schedule file of a finding. It holds the data with which the runtime's controller makes the
 * finding happen, and identifies the program that it belongs to. findings/schedule_file.c writes
 * it, findings/schedule_read.c reads it. Text, one item a line, in this order:
 *
 *   forerun-schedule 6
 *   run <32 hex digits>
 *	the run from which it was predicted
 *   module <build-id or -> <path>
 *	every recorded module, in the order of run.json
 *   kind <kind of bug, or `recorded`>
 *   meeting <how the targets happen: a name in model/meeting.h>
 *   needs <harm without which the finding does not count: a name in model/meeting.h>
 *	only for findings that need harm
 *   prefix <n>
 *	the first n turns are in the file `schedule` of the run folder, which is the schedule of the
 *	recorded run itself; only if n is above FR_SCHEDULE_INLINE
 *   leaves <thread path> <hook>
 *	from that hook on, the thread is not on the path of the recorded run, so the outcomes of its
 *	recorded calls do not apply; at most once for each thread
 *   turn <thread path> <hook>
 *	the thread runs until that many of its hooks have happened
 *   expect <thread path> <hook> <kind> <site> [<value, 0x...>]
 *	the event at that hook; the controller checks it
 *   event <thread path> <hook> <kind> <site> <role> <memory>
 *	an event of the finding that happens during the turns; in this order
 *   target <thread path> <hook> <kind> <site> <role> <memory>
 *	the next hook of the thread after all turns; targets happen in this order, unless the
 *	meeting says otherwise
 *   pending <event>
 *   edge <event> <event>
 *   sees <event> <event, or - for the initial value>
 *	the candidate (model/candidate.h), in numbers of events of the model; only of schedules in
 *	which reads differ by the relaxed tier, so that forerun can ask again
 *   differs <event>
 *	a read that may return another value than recorded, in the order of the schedule; likewise
 *   end <CRC-32C of all before, 8 hex digits>
 *
 * The hooks of one thread's turns increase. A thread without a turn does not run. Event kinds are
 * the names in event.h. Expectations are in the order of the schedule. <memory> is a number: events
 * and targets with the same number above 0 access common bytes. In thread paths, kinds of bugs and
 * module paths, bytes up to and including the blank, and the percent sign, are written as %XX.
 *
 * Versions 3 to 5 have only a part of these lines. forerun writes the last version, and reads them
 * all in the same way.
 */
#ifndef FR_FORMAT_SCHEDULE_TEXT_H
#define FR_FORMAT_SCHEDULE_TEXT_H

#define FR_SCHEDULE_MAGIC "forerun-schedule"
#define FR_SCHEDULE_VERSION 6
#define FR_SCHEDULE_OLDEST 3
/* Limit of the turns of the recorded run that are in the file itself. */
#define FR_SCHEDULE_INLINE 4096

#endif
