/* Opens a handle with the lower library and passes it to the upper one. */
#include "module.h"

int core_open(void);
int upper_check(int handle);

NUMBER(check, upper_check(core_open()))
MODULE(_stack, METHOD(check))
