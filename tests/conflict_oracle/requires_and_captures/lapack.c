/* A LAPACK whose output shows its integer width. */
int dsyevd(void) { return WIDTH; }
