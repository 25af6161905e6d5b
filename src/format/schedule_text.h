/*
 * The schedule file of a finding: what the controller of the runtime needs to make it happen, and
 * what a reader needs to see that it belongs to this program. Text, one thing a line, in this
 * order:
 *
 *   forerun-schedule 2
 *   run <32 hex digits>
 *	the run that it was predicted from
 *   module <build-id or -> <path>
 *	every module that was recorded, in the order of run.json
 *   kind <kind of bug, or `recorded`>
 *   prefix <n>
 *	the first n turns are those of the file `schedule` in the run folder, which is the schedule
 *	of the recorded run itself; only where these are many
 *   turn <thread path> <hook index>
 *	the thread runs until that many of its hooks have happened
 *   expect <thread path> <hook index> <kind> <site> [<value, 0x...>]
 *	what is found at that hook: checked by the controller
 *   event <thread path> <hook index> <kind> <site> <role> <place>
 *	an event of the finding that happens in the course of the turns; in this order
 *   target <thread path> <hook index> <kind> <site> <role> <place>
 *	the next hook of the thread when all turns are over; they happen in this order, or in the
 *	other one where the kind of bug has both
 *   end <CRC-32C of all before, 8 hex digits>
 *
 * Turns of one thread grow. A thread that is in no turn does not run. Kinds of events are those of
 * event.h, by name. Expectations stand in the order of the schedule. Events and targets of the same
 * place, which is a number above 0, access common bytes. Bytes of thread paths, roles and module
 * paths up to and including the blank, and the percent sign, are written as %XX.
 */
#ifndef FR_FORMAT_SCHEDULE_TEXT_H
#define FR_FORMAT_SCHEDULE_TEXT_H

#define FR_SCHEDULE_MAGIC "forerun-schedule"
#define FR_SCHEDULE_VERSION 2
/* Up to so many turns of the recorded run stand in the file itself. */
#define FR_SCHEDULE_INLINE 4096

#endif
