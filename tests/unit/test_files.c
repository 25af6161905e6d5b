/* Digests against the published vectors; escapes; files that may be opened or replaced. */
#include "fixture.h"
#include "base/dir.h"
#include "base/escape.h"
#include "base/json.h"
#include "base/output.h"
#include "base/sha256.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* FIPS 180-4 examples, and a million times "a". */
static void sha256_gives_the_standard_digests(void **state)
{
	static const struct {
		const char *text;
		unsigned times;
		const char *want;
	} v[] = {
	    {"", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
	    {"abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
	    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
	     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
	    {"a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
	};

	(void)state;
	for (size_t i = 0; i < fr_array_size(v); i++) {
		uint8_t digest[FR_SHA256_SIZE];
		struct fr_sha256 s;
		char hex[65];

		fr_sha256_init(&s);
		for (unsigned k = 0; k < v[i].times; k++)
			fr_sha256_add(&s, v[i].text, strlen(v[i].text));
		fr_sha256_end(&s, digest);
		fr_sha256_hex(digest, hex);
		assert_string_equal(hex, v[i].want);
	}
}

/* RFC 4231, cases 1, 2 and 6. */
static void hmac_gives_the_standard_codes(void **state)
{
	uint8_t ones[20], many[131], mac[FR_SHA256_SIZE];
	static const char text[] = "Test Using Larger Than Block-Size Key - Hash Key First";
	char hex[65];

	(void)state;
	memset(ones, 0x0b, sizeof(ones));
	memset(many, 0xaa, sizeof(many));
	fr_hmac_sha256(ones, sizeof(ones), "Hi There", 8, mac);
	fr_sha256_hex(mac, hex);
	assert_string_equal(hex,
			    "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
	fr_hmac_sha256("Jefe", 4, "what do ya want for nothing?", 28, mac);
	fr_sha256_hex(mac, hex);
	assert_string_equal(hex,
			    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
	fr_hmac_sha256(many, sizeof(many), text, strlen(text), mac);
	fr_sha256_hex(mac, hex);
	assert_string_equal(hex,
			    "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

static void control_characters_are_escaped(void **state)
{
	static const struct {
		const char *text, *want;
	} v[] = {
	    {"", ""},
	    {"plain text_42 <T>::f(int)", "plain text_42 <T>::f(int)"},
	    {"gr\303\274n \342\202\254 \360\237\230\200",
	     "gr\303\274n \342\202\254 \360\237\230\200"},
	    {"a\nb\tc", "a\\nb\\tc"},
	    {"\033[2J\007\177", "\\x1b[2J\\x07\\x7f"},
	    {"\302\233"
	     "31m",
	     "\\u{9b}31m"},
	    {"\342\200\256x\342\200\213", "\\u{202e}x\\u{200b}"},
	    {"\377\303", "\\xff\\xc3"},
	    {"\355\240\200", "\\xed\\xa0\\x80"}, /* a surrogate is no character */
	    {"\363\240\200\201", "\\u{e0001}"},
	};

	(void)state;
	for (size_t i = 0; i < fr_array_size(v); i++) {
		char *s = fr_escape(v[i].text);
		struct fr_buf b = {0};

		assert_string_equal(s, v[i].want);
		free(s);
		fr_buf_puts(&b, "\033[1m");
		fr_buf_puts(&b, v[i].text);
		fr_escape_from(&b, 4);
		assert_memory_equal(b.s, "\033[1m", 4);
		assert_string_equal(b.s + 4, v[i].want);
		fr_buf_free(&b);
	}
	assert_null(fr_escape(NULL));
}

/* Characters that JSON escapes come back unchanged. */
static void json_escapes_come_back(void **state)
{
	static const char text[] = "\033\302\233\342\200\256\363\240\200\201\377 \303\274";
	struct fr_buf b = {0};
	struct fr_jw w = {.out = &b};
	struct fr_json *j = NULL;

	(void)state;
	fr_jw_open(&w, '{');
	fr_jw_pair(&w, "k", text);
	fr_jw_close(&w, '}');
	for (size_t i = 0; i < b.n; i++)
		assert_true((b.s[i] >= ' ' && b.s[i] != 0x7f) || b.s[i] == '\n' ||
			    (unsigned char)b.s[i] >= 0x80);
	assert_null(strstr(b.s, "\302\233"));
	assert_null(strstr(b.s, "\342\200\256"));
	assert_non_null(strstr(b.s, "\303\274"));
	assert_int_equal(fr_json_parse("x", (const uint8_t *)b.s, b.n, &j, NULL), 0);
	assert_string_equal(fr_json_str(fr_json_get(j, "k")), text);
	fr_json_freep(&j);
	fr_buf_free(&b);
}

static void files_stay_inside_their_folder(void **state)
{
	char *dir = fx_folder(), *run = fx_path(dir, "run"), *out = fx_path(dir, "victim");
	char *file = fx_path(run, "file"), *link_ = fx_path(run, "link"),
	     *fifo = fx_path(run, "fifo");
	char *sub = fx_path(run, "1"), *below = fx_path(sub, "schedule");
	char *up = fx_path(run, "../victim"), *aside = fx_path(run, "2/schedule");
	struct fr_mapped m;
	struct stat st;
	int fd;

	(void)state;
	fx_write(out, "precious", 8);
	assert_int_equal(fr_output_mkdir(run, &fd, NULL), 0);
	fr_dir_enter_made(run, fd);
	assert_true(fr_dir_made(run));
	assert_int_equal(fr_output_mkdir(run, &fd, NULL), -EEXIST);
	assert_int_equal(fr_dir_replace(file, "one", 3, NULL), 0);
	assert_int_equal(fr_dir_replace(file, "two!", 4, NULL), 0);
	assert_int_equal(fr_dir_map(file, &m, NULL), 0);
	assert_int_equal(m.n, 4);
	fr_io_unmap(&m);
	assert_int_equal(fr_dir_stat(file, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	/* out of the folder */
	assert_int_equal(symlink("../victim", link_), 0);
	assert_int_equal(fr_dir_open(link_, NULL), -ELOOP);
	assert_int_equal(fr_dir_open(up, NULL), -EXDEV);
	assert_int_equal(fr_dir_create(link_, O_WRONLY, NULL), -EEXIST);
	assert_int_equal(fr_dir_replace(link_, "x", 1, NULL), 0);
	assert_int_equal(lstat(link_, &st), 0);
	assert_true(S_ISREG(st.st_mode)); /* the link itself was replaced */
	assert_int_equal(symlink("..", aside) < 0 ? errno : 0, ENOENT);
	/* no regular file */
	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_int_equal(fr_dir_open(fifo, NULL), -EINVAL);
	assert_int_equal(fr_dir_replace(fifo, "x", 1, NULL), -EINVAL);
	assert_int_equal(fr_dir_unlink(fifo), -EINVAL);
	assert_int_equal(fr_dir_open(run, NULL) < 0, true);
	/* one level down */
	assert_int_equal(fr_dir_mkdir(sub, NULL), 0);
	assert_int_equal(fr_dir_mkdir(sub, NULL), 0);
	assert_int_equal(fr_dir_replace(below, "x", 1, NULL), 0);
	assert_int_equal(fr_dir_unlink(below), 0);
	assert_int_equal(fr_dir_rmdir(sub), 0);
	assert_int_equal(symlink("..", sub), 0);
	assert_int_equal(fr_dir_replace(below, "x", 1, NULL), -ELOOP);
	assert_int_equal(fr_dir_mkdir(sub, NULL), -ELOOP);
	assert_true(fr_dir_list(sub) < 0);
	assert_int_equal(fr_dir_lock(run, true), 0);
	assert_int_equal(fr_dir_lock(run, false), 0);
	fr_dir_leave(run);
	assert_int_equal(fr_dir_fd(run), -1);
	assert_int_equal(fr_dir_enter(run, NULL), 0);
	assert_false(fr_dir_made(run));
	fr_dir_forget();
	assert_int_equal(fr_dir_fd(run), -1);
	assert_int_equal(stat(out, &st), 0);
	assert_int_equal(st.st_size, 8);
	free(aside);
	free(up);
	free(below);
	free(sub);
	free(fifo);
	free(link_);
	free(file);
	free(out);
	free(run);
	fx_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(sha256_gives_the_standard_digests),
	    cmocka_unit_test(hmac_gives_the_standard_codes),
	    cmocka_unit_test(control_characters_are_escaped),
	    cmocka_unit_test(json_escapes_come_back),
	    cmocka_unit_test(files_stay_inside_their_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
