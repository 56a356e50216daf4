/* The width of its integers shows in what it writes. */
int dsyevd(void) { return WIDTH; }
