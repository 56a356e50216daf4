/* The lp64 and ilp64 interfaces of a BLAS: the same names with two integer widths. */
#include <stdint.h>

void dsyevd(const INTEGER* n, const double* a, double* w, INTEGER* info) {
  if (*n < 1 || *n > 1000) {
    *info = -1; /* the first argument is out of range */
    return;
  }
  for (INTEGER i = 0; i < *n; ++i) w[i] = a[i * *n + i];
  *info = 0;
}
