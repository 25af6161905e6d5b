#include <omp.h>
#include <stdio.h>
int main(void){ int s=0; omp_lock_t l; omp_init_lock(&l);
#pragma omp parallel num_threads(2)
{ omp_set_lock(&l); s++; omp_unset_lock(&l); }
#pragma omp parallel num_threads(2)
{
#pragma omp sections
{
#pragma omp section
 { omp_set_lock(&l); s+=2; omp_unset_lock(&l); }
#pragma omp section
 { omp_set_lock(&l); s+=3; omp_unset_lock(&l); }
}
}
omp_destroy_lock(&l); printf("%d\n", s); return s!=7; }
