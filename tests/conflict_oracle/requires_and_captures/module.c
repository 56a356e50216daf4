#include "module.h"

int dsyevd(void);

NUMBER(width, dsyevd())
MODULE(_eig, METHOD(width))
