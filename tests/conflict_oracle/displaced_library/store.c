/* A library whose second release has an additional function. */
int store_open(void) { return RELEASE; }
#if RELEASE > 1
int store_sync(void) { return 20 + RELEASE; }
#endif
