/* An extension module that computes eigenvalues and returns `info`: 0 is success. */
#include "module.h"

void dsyevd(const INTEGER* n, const double* a, double* w, INTEGER* info);

static long long info_of_two_by_two(void) {
  const INTEGER sizes[] = {2, 1}; /* 4294967298 if read as one 64-bit integer */
  INTEGER info[] = {-7, -7};
  const double a[] = {3, 0, 0, 4};
  double w[2];
  dsyevd(sizes, a, w, info);
  return info[0];
}

NUMBER(info, info_of_two_by_two())
MODULE(_solver, METHOD(info))
