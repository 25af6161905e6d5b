/* Workers count words of lines from standard input. */
/* stdin: a b c\nd e\nf\n\ng h i j\n */
#include "truth.h"

static int words, lines;

static void *work(void *unused)
{
	char line[256];

	for (;;) {
		int n = 0;
		char *got, *save;

		pthread_mutex_lock(&truth_lock);
		got = fgets(line, sizeof(line), stdin);
		if (got)
			lines++;
		pthread_mutex_unlock(&truth_lock);
		if (!got)
			break;
		for (char *w = strtok_r(line, " \n", &save); w; w = strtok_r(NULL, " \n", &save))
			n++;
		pthread_mutex_lock(&truth_lock);
		words += n;
		pthread_mutex_unlock(&truth_lock);
	}
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	printf("%d lines, %d words\n", lines, words);
	return lines != 5 || words != 10;
}
