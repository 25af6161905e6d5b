#include <stdio.h>
int main(void){ int s=0,n=0;
#pragma omp parallel num_threads(2)
{
  for (int i=0;i<4;i++) {
#pragma omp critical
    s+=i;
#pragma omp atomic
    n++;
  }
#pragma omp barrier
#pragma omp single
  printf("%d %d\n", s, n);
}
return s!=12; }
