/* The lower library: handles of one copy mean nothing to another. */
static int opened;

int core_open(void) { return opened = HANDLE; }
int core_get(int handle) { return handle == opened ? handle : -1; }
