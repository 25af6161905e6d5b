#ifndef LITTLE_H
#define LITTLE_H
#define LITTLE_N 16
#ifdef __cplusplus
extern "C" {
#endif
extern int little_balance;
void little_add(int n);
void little_hit(int k);
int little_hits(void);
#ifdef __cplusplus
}
#endif
#endif
