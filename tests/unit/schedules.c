#include "schedules.h"
#include "base/mem.h"

struct fr_schedule_file fx_schedule(enum fr_meeting meeting)
{
	struct fr_schedule_file s = {.kind = fr_xstrdup("any"), .meeting = meeting};
	uint32_t late = fr_schedule_file_thread(&s, "0.2.1"),
		 main_ = fr_schedule_file_thread(&s, "0"),
		 first = fr_schedule_file_thread(&s, "0.1");
	uint32_t memory = meeting == FR_MEETING_EITHER_ORDER;

	fr_schedule_file_turn(&s, main_, 7);
	fr_schedule_file_turn(&s, late, 3);
	fr_schedule_file_turn(&s, first, 4);
	fr_schedule_file_turn(&s, late, 8);
	fr_schedule_file_turn(&s, main_, 9); /* leads nowhere */
	fr_vec_push(&s.expect, ((struct fr_schedule_hook){.thread = late,
							  .hook = 5,
							  .kind = FR_EV_READ,
							  .site = 12,
							  .known = true,
							  .value = 0x1010}));
	fr_vec_push(&s.expect, ((struct fr_schedule_hook){.thread = late,
							  .hook = 2,
							  .kind = FR_EV_WRITE,
							  .site = 11,
							  .known = true,
							  .value = 4}));
	fr_vec_push(&s.expect,
		    ((struct fr_schedule_hook){
			.thread = first, .hook = 4, .kind = FR_EV_MUTEX_LOCK, .site = 13}));
	if (memory) {
		fr_vec_push(&s.event, ((struct fr_schedule_hook){.thread = late,
								 .hook = 5,
								 .kind = FR_EV_READ,
								 .site = 12,
								 .role = FR_ROLE_EVENT,
								 .memory = 1}));
		fr_vec_push(&s.event, ((struct fr_schedule_hook){.thread = late,
								 .hook = 7,
								 .kind = FR_EV_READ,
								 .site = 14,
								 .role = FR_ROLE_EVENT,
								 .memory = 2}));
	}
	fr_vec_push(&s.target, ((struct fr_schedule_hook){.thread = late,
							  .hook = 9,
							  .kind = FR_EV_WRITE,
							  .site = 21,
							  .role = FR_ROLE_FIRST,
							  .memory = memory}));
	fr_vec_push(&s.target, ((struct fr_schedule_hook){.thread = first,
							  .hook = 5,
							  .kind = FR_EV_READ,
							  .site = 22,
							  .role = FR_ROLE_SECOND,
							  .memory = memory}));
	return s;
}
