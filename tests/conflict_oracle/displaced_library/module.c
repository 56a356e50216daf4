/* An extension module that is linked with one of the two releases. */
#include "module.h"

int store_open(void);
int store_sync(void);

NUMBER(opened, store_open())
#if RELEASE > 1
NUMBER(synced, store_sync())
MODULE(_store, METHOD(opened), METHOD(synced))
#else
MODULE(_store, METHOD(opened))
#endif
