#include "module.h"

extern int answer(void);
NUMBER(value, answer())

MODULE(_value, METHOD(value))
