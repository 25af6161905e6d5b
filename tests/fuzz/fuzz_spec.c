/*
 * The fuzzer's entry for property files: any text is parsed, and a text without errors is printed
 * and parsed again. `make fuzz-spec` links it with libFuzzer. Without FR_FUZZER it is a program
 * that takes files, for tests.
 */
#include "base/assert.h"
#include "base/io.h"
#include "spec/spec.h"
#include <stdio.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	FR_CLEANUP(fr_buf_free) struct fr_buf errors = {0}, once = {0}, twice = {0};
	FR_CLEANUP(fr_spec_freep) struct fr_spec *s = fr_spec_parse("fuzz", (const char *)data, n);
	FR_CLEANUP(fr_spec_freep) struct fr_spec *again = NULL;

	fr_spec_errors(s, &errors);
	if (errors.n)
		return 0;
	fr_spec_print(s, &once);
	again = fr_spec_parse("again", once.s, once.n);
	fr_assert(!again->error.n);
	fr_spec_print(again, &twice);
	fr_assert(once.n == twice.n && !memcmp(once.s, twice.s, once.n));
	return 0;
}

#ifndef FR_FUZZER
int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		struct fr_mapped file;
		struct fr_err err;

		if (fr_io_map(argv[i], &file, &err) < 0) {
			fprintf(stderr, "%s\n", err.msg);
			return 1;
		}
		LLVMFuzzerTestOneInput(file.n ? file.p : (const uint8_t *)"", file.n);
		fr_io_unmap(&file);
	}
	return 0;
}
#endif
