struct shared { int a; long b; };
extern struct shared shared;
void native_step(int n);
void tsan_step(int n);
