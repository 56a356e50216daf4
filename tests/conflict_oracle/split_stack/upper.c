int core_get(int handle);

int upper_check(int handle) { return core_get(handle); }
