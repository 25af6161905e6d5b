#include <stdio.h>
int main(void){ int s=0; int v[64];
#pragma omp parallel for num_threads(3) reduction(+:s)
for(int i=0;i<64;i++) { v[i]=i; s+=i; }
int t=0; for(int i=0;i<64;i++) t+=v[i];
printf("%d %d\n",s,t); return s!=2016||t!=2016; }
