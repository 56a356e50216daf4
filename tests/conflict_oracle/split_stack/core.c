/* The lower library: a handle of one copy is invalid in another copy. */
static int opened;

int core_open(void) { return opened = HANDLE; }
int core_get(int handle) { return handle == opened ? handle : -1; }
