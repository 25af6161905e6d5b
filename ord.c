#include <stdio.h>
int main(void){ int last=-1, bad=0; int a[16];
#pragma omp parallel for ordered num_threads(2) schedule(static,1)
for(int i=0;i<16;i++){ a[i]=i*i;
#pragma omp ordered
{ if(last!=i-1) bad=1; last=i; }
}
#pragma omp parallel for num_threads(2) schedule(dynamic)
for(int i=0;i<16;i++) a[i]+=1;
for(int i=0;i<16;i++) bad|=a[i]!=i*i+1;
return bad; }
