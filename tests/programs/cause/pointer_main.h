/* main() of raced.c and checked.c: one thread uses the pointer p, another one clears it. UNRELATED: main crashes in every
   order. */
int main(void)
{
	static int three = 3;
	pthread_t t, u;

	p = &three;
	pthread_create(&t, NULL, use, NULL);
	pthread_create(&u, NULL, clear, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
#ifdef UNRELATED
	*(volatile int *)p = 1;
#endif
	return 0;
}
